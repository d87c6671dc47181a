# fish completion for keyturn. "keyturn complete" prints the candidates.
function __keyturn_complete
    set -l words (commandline --tokenize --cut-at-cursor --current-process) (commandline --cut-at-cursor --current-token)
    for line in (command keyturn complete -- $words[2..] 2>/dev/null)
        if test "$line" = :files
            __fish_complete_path (commandline --cut-at-cursor --current-token)
        else
            echo $line
        end
    end
end
complete --command keyturn --no-files --keep-order --arguments '(__keyturn_complete)'
