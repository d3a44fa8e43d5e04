# PowerShell completion of puzzlec: `puzzlec completion powershell >> $PROFILE`.
Register-ArgumentCompleter -Native -CommandName puzzlec -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @($commandAst.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } |
        ForEach-Object { $_.ToString() })
    $line = (@($words | Select-Object -Skip 1) + $wordToComplete) -join ' '
    $env:_PUZZLEC_COMPLETION = "powershell $line"
    try {
        & $words[0] 2>$null | ForEach-Object {
            $word, $about = $_ -split "`t", 2
            $told = if ($about) { $about } else { $word }
            # The line is read again: the name of a file must not run there.
            $put = if ($word -match '^[\w./\\:=~+-]+$') { $word } else { "'" + $word.Replace("'", "''") + "'" }
            [System.Management.Automation.CompletionResult]::new($put, $word, 'ParameterValue', $told)
        }
    } finally {
        Remove-Item Env:_PUZZLEC_COMPLETION
    }
}
