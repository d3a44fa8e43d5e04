"""The puzzle language for highlighters: the colours of Pygments and of TextMate grammars."""
