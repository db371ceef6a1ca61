"""The names of directives and roles, by what a reader sees of them."""

# Directives whose body is words to read.
PROSE = set(
    """
    admonition attention caution danger error hint important note seealso tip warning
    versionadded versionchanged deprecated topic sidebar margin dropdown epigraph pull-quote
    highlights aside div container grid grid-item grid-item-card card card-carousel tab-set
    tab-item exercise exercise-start solution solution-start claim figure glossary table
    list-table csv-table
    """.split()
)
# Those of them whose first line is a label, a path or options, not words to read.
UNTITLED = set("solution solution-start claim figure glossary container div grid grid-item".split())
# Directives whose body is shown as it is, or not at all.
VERBATIM = set(
    """
    code code-block sourcecode literalinclude image toctree tableofcontents contents
    bibliography index exercise-end solution-end claims-ledger
    """.split()
)
MATH = {"math"}
CELL = "code-cell"

# Roles whose words are read whole, and those of which a reader sees the title, not the target.
SPOKEN = set("abbr emphasis strong guilabel menuselection sub sup subscript superscript".split())
TITLED = set(
    """
    ref numref eq doc term any download index prf:ref
    std:ref std:numref std:doc std:term math:numref
    """.split()
)
NAMES = {"term", "index"}  # without a title, their target is what one reads
# Roles without prose: code, and the names of works.
SILENT = set(
    """
    code kbd file samp command program option envvar func class meth mod attr data exc obj const
    py:func py:class py:meth py:mod py:attr py:data py:exc py:obj py:const
    cite cite:t cite:p cite:ts cite:ps cite:ct cite:cts cite:author cite:year cite:label
    cite:alp cite:alps cite:title
    """.split()
)
