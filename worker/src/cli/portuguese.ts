import type { Command } from 'commander'

const TITLES: Record<string, string> = { 'Usage:': 'Uso:', 'Options:': 'Opções:', 'Commands:': 'Comandos:' }

/** Commander's own sentences, in the order in which they are tried. */
const SENTENCES: [english: RegExp, portuguese: string][] = [
  [/^error: option '(.+)' argument '(.*)' is invalid\. (.*)/s, 'o valor «$2» de $1 não serve: $3'],
  [/^error: option '(.+)' argument missing/, 'falta o valor de $1'],
  [/^error: missing required argument '(.+)'/, 'falta <$1>'],
  [/^error: required option '(.+)' not specified/, 'falta a opção $1'],
  [/^error: unknown option '(.+?)'/, 'opção desconhecida: $1'],
  [/^error: unknown command '(.+?)'/, 'comando desconhecido: $1'],
  [/^error: too many arguments.*/s, 'há palavras a mais depois do comando'],
  [/^error: /, ''],
  [/\(Did you mean one of (.+)\?\)/, '(Seria um destes: $1?)'],
  [/\(Did you mean (.+)\?\)/, '(Seria $1?)'],
]

/** Errors of usage in Portuguese; one that is not known stays as it is. */
export const inPortuguese = (text: string) =>
  SENTENCES.reduce((said, [english, portuguese]) => said.replace(english, portuguese), text)

/** Gives the program Portuguese help and errors; its commands, added afterwards, inherit them. */
export const speakPortuguese = (program: Command) =>
  program
    .usage('comando [opções]')
    .configureHelp({
      styleTitle: (title) => TITLES[title] ?? title,
      subcommandTerm: (command) => command.name(),
      commandUsage: (command) =>
        command.parent
          ? `${command.parent.name()} ${command.name()} [opções]`
          : `${command.name()} comando [opções]`,
    })
    .configureOutput({ outputError: (text, write) => write(inPortuguese(text)) })
    .helpOption('-h, --help', 'mostra esta ajuda')
    .helpCommand('ajuda [comando]', 'mostra a ajuda de um comando')
