import { parseAst } from 'vitest/node'

interface Node {
  type: string
  [property: string]: unknown
}
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'
const childrenOf = (node: Node) => Object.values(node).flat().filter(isNode)
const nameOf = (node: unknown) => (isNode(node) && typeof node.name === 'string' ? node.name : '')

const MUTATIONS = ['mutate', 'mutateAsync']
/** Called with what a press does, they keep its promise. */
const HOLDERS = ['usePress', 'useSave', 'usePasskey', 'once']
const DOM_EVENT = /^on(Click|DoubleClick|Change|Input|Blur|Focus|Key|Pointer|Mouse|Touch|Drag|Drop|Paste)/

/**
 * Handlers of DOM events that start a mutation whose promise no press holds, themselves or by functions of the same
 * file, as «Button onClick». Forms and dialogs of our own hold what their handlers return.
 */
export function rawHandlers(source: string) {
  const program = parseAst(source, { lang: 'tsx' }) as unknown as Node
  const starters = new Set<string>()
  const starts = (node: Node): boolean => {
    if (node.type === 'Identifier') return starters.has(nameOf(node))
    if (node.type === 'MemberExpression') {
      if (MUTATIONS.includes(nameOf(node.property))) return true
      return starts(node.object as Node)
    }
    if (node.type === 'CallExpression' && HOLDERS.includes(nameOf(node.callee))) return false
    if (node.type === 'JSXElement') return false
    return childrenOf(node).some(starts)
  }
  const everyNode = (node: Node): Node[] => [node, ...childrenOf(node).flatMap(everyNode)]
  const nodes = everyNode(program)

  for (let before = -1; before < starters.size; ) {
    before = starters.size
    for (const node of nodes) {
      if (node.type === 'Property' && MUTATIONS.includes(nameOf(node.key))) starters.add(nameOf(node.value))
      const isFunction = node.type === 'FunctionDeclaration'
      if (node.type !== 'VariableDeclarator' && !isFunction) continue
      const body = isFunction ? node.body : node.init
      if (nameOf(node.id) && isNode(body) && starts(body)) starters.add(nameOf(node.id))
    }
  }
  return nodes
    .filter(({ type }) => type === 'JSXOpeningElement')
    .flatMap(({ name: element, attributes }) =>
      (attributes as Node[])
        .filter(({ name, value }) => {
          const isDom =
            DOM_EVENT.test(nameOf(name)) || (nameOf(element) === 'form' && nameOf(name) === 'onSubmit')
          return isDom && isNode(value) && starts(value)
        })
        .map(({ name }) => `${nameOf(element)} ${nameOf(name)}`),
    )
}
