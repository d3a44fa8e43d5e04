# fish completion of puzzlec: `puzzlec completion fish > ~/.config/fish/completions/puzzlec.fish`.
function __puzzlec_completion
    set -l words (commandline -opc)
    set -l line (string join ' ' -- (string escape -- $words[2..-1]) (commandline -ct))
    _PUZZLEC_COMPLETION="fish $line" $words[1] 2>/dev/null
end
complete --command puzzlec --no-files --arguments '(__puzzlec_completion)'
