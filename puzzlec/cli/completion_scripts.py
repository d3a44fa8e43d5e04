"""The scripts by which shells complete puzzlec's command line.

Each runs the program that was typed, with the words up to the cursor as its arguments and the name of the shell in
`_PUZZLEC_COMPLETION`, and gets lines of a word, a tab and what it means (see ``completing``). Behind a word that ends
in `/` or `=` no blank is put: it goes on.
"""

from __future__ import annotations

_BASH = r"""# bash completion of puzzlec; made by `puzzlec completion bash`
_puzzlec_completion() {
    local line
    COMPREPLY=()
    while IFS= read -r line; do
        COMPREPLY+=("${line%%$'\t'*}")
    done < <(_PUZZLEC_COMPLETION=bash "$1" "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
    if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *[/=] ]]; then
        compopt -o nospace
    fi
}
complete -F _puzzlec_completion puzzlec
"""

_ZSH = r"""#compdef puzzlec
# zsh completion of puzzlec; made by `puzzlec completion zsh`
_puzzlec() {
    local line word about
    local -a words_on words_end told_on told_end
    while IFS= read -r line; do
        word=${line%%$'\t'*} about=${line#*$'\t'}
        if [[ $word == *[/=] ]]; then
            words_on+=("$word") told_on+=("$word${about:+  -- $about}")
        else
            words_end+=("$word") told_end+=("$word${about:+  -- $about}")
        fi
    done < <(_PUZZLEC_COMPLETION=zsh "${words[1]}" "${(@Q)words[2,CURRENT-1]}" "${words[CURRENT]}" 2>/dev/null)
    (( $#words_end )) && compadd -l -d told_end -a words_end
    (( $#words_on )) && compadd -S '' -d told_on -a words_on
    (( $#words_end + $#words_on ))
}
if [[ $funcstack[1] == _puzzlec ]]; then
    _puzzlec "$@"
else
    compdef _puzzlec puzzlec
fi
"""

_FISH = r"""# fish completion of puzzlec; made by `puzzlec completion fish`
function __puzzlec_completion
    set -l words (commandline -opc)
    _PUZZLEC_COMPLETION=fish $words[1] $words[2..-1] (commandline -ct) 2>/dev/null
end
complete --command puzzlec --no-files --arguments '(__puzzlec_completion)'
"""

_POWERSHELL = r"""# PowerShell completion of puzzlec; made by `puzzlec completion powershell`
Register-ArgumentCompleter -Native -CommandName puzzlec -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @($commandAst.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } |
        ForEach-Object { $_.ToString() })
    # An empty word would be lost on its way to the program: PowerShell before 7.3 passes none.
    $last = if ($wordToComplete) { $wordToComplete } else { '""' }
    if ($wordToComplete -eq '' -and $PSVersionTable.PSVersion -ge [version]'7.3') { $last = '' }
    $env:_PUZZLEC_COMPLETION = 'powershell'
    try {
        $rest = @($words | Select-Object -Skip 1) + $last
        & $words[0] @rest 2>$null | ForEach-Object {
            $word, $about = $_ -split "`t", 2
            $told = if ($about) { $about } else { $word }
            # What is put into the line is read again: the name of a file must not be run there.
            $put = if ($word -match '^[\w./\\:=~+-]+$') { $word } else { "'" + $word.Replace("'", "''") + "'" }
            [System.Management.Automation.CompletionResult]::new($put, $word, 'ParameterValue', $told)
        }
    } finally {
        Remove-Item Env:_PUZZLEC_COMPLETION
    }
}
"""

#: The script of each shell.
SCRIPTS = {"bash": _BASH, "zsh": _ZSH, "fish": _FISH, "powershell": _POWERSHELL}
