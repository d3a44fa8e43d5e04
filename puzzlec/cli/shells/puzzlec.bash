# bash completion of puzzlec: `puzzlec completion bash > ~/.local/share/bash-completion/completions/puzzlec`.
# Without the package bash-completion: `eval "$(puzzlec completion bash)"` in ~/.bashrc.
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
