# fish completion of puzzlec; made by `puzzlec completion fish`
function __puzzlec_completion
    set -l words (commandline -opc)
    _PUZZLEC_COMPLETION=fish $words[1] $words[2..-1] (commandline -ct) 2>/dev/null
end
complete --command puzzlec --no-files --arguments '(__puzzlec_completion)'
