/**
 * The script that each shell loads to complete command lines. It asks the program, which prints the
 * words that may come next, each with its meaning. If the program prints none, the shell completes
 * file names.
 */
export const completionScripts: Readonly<Record<string, string>> = {
  bash: `_hallpass() {
  local IFS=$'\\n'
  local words
  words=$("\${COMP_WORDS[0]}" complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f 1)
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _hallpass hallpass`,
  zsh: `#compdef hallpass
_hallpass() {
  local -a next
  local word meaning
  while IFS=$'\\t' read -r word meaning; do
    next+=("\${word//:/\\\\:}:$meaning")
  done < <("\${words[1]}" complete "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if ((\${#next})); then _describe hallpass next; else _files; fi
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }
compdef _hallpass hallpass`,
  fish: `function __hallpass_complete
  set -l words (commandline -opc) (commandline -ct)
  $words[1] complete $words[2..-1] 2>/dev/null
end
function __hallpass_has_next
  count (__hallpass_complete) >/dev/null
end
complete -c hallpass -n __hallpass_has_next -f -a "(__hallpass_complete)"`,
};
