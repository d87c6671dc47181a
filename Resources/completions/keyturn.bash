# bash completion for keyturn. "keyturn complete" prints the candidates.
_keyturn() {
    local cur cword line
    local -a words
    COMPREPLY=()
    if declare -F _get_comp_words_by_ref >/dev/null; then
        _get_comp_words_by_ref -n =: cur words cword
    else
        words=("${COMP_WORDS[@]}") cword=$COMP_CWORD cur=${COMP_WORDS[COMP_CWORD]}
    fi
    # As they are without the quotes of an earlier completion.
    words=("${words[@]//\\/}")
    while IFS= read -r line; do
        if [[ $line == :files ]]; then
            compopt -o filenames
            while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$cur")
        else
            # Bash puts a candidate on the line as it is.
            printf -v line %q "${line%%$'\t'*}"
            COMPREPLY+=("$line")
        fi
    done < <(command keyturn complete -- "${words[@]:1:cword}" 2>/dev/null)
    if declare -F __ltrim_colon_completions >/dev/null; then __ltrim_colon_completions "$cur"; fi
}
complete -F _keyturn keyturn
