# PowerShell completion of puzzlec; made by `puzzlec completion powershell`
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
