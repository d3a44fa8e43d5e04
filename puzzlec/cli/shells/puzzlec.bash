# bash completion of puzzlec: `puzzlec completion bash >> ~/.bashrc`.
# With the package bash-completion, it can be the file ~/.local/share/bash-completion/completions/puzzlec instead.
_puzzlec_completion() {
    local line
    COMPREPLY=()
    while IFS= read -r line; do
        COMPREPLY+=("${line%%$'\t'*}")
    done < <(_PUZZLEC_COMPLETION="bash ${COMP_WORDS[*]:1:COMP_CWORD}" "$1" 2>/dev/null)
    compopt -o filenames  # so that bash quotes spaces and other signs
    if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *[/=] ]]; then
        compopt -o nospace
    fi
}
complete -F _puzzlec_completion puzzlec
