import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** Where UI texts are: attributes of elements and fields of the objects that elements are made from. */
const TEXT_ATTRIBUTES =
  /^(text|title|label|legend|help|error|message|detail|description|subtitle|empty|words|what|placeholder|alt|name|aria-label|aria-description|children|\w+Text|\w+Label)$/
/** English words that no Portuguese text of the product contains. */
const ENGLISH =
  /\b(the|and|of|to|is|are|with|not|your|you|please|save|saved|cancel|close|closed|delete|deleted|remove|removed|add|added|edit|search|loading|next|previous|back|submit|success|warning|required|invalid|user|users|company|companies|brand|brands|order|orders|file|files|page|settings|password|log|logged|account|created|error|try|again|results|select|choose|show|hide|open|yes|found|dashboard)\b/i
/** A detail that clients compare; the screen translates it (RST-5). */
const WIRE = ['Invalid token']
/** Texts that the specification spells in English (GEN-1). */
const LEFT = [
  'Logged in as',
  'Log out',
  'Account created.',
  'Email is required',
  'Full Name is required',
  'Error',
  'Dashboard',
]

const sources = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes('node_modules') && !path.includes('.types'))

const isSentence = (node: ts.Node): node is ts.StringLiteralLike =>
  ts.isStringLiteralLike(node) && /^\p{Lu}.*\s/u.test(node.text)

/** Text between tags and values of attributes or fields that users read. */
function wordsOf(path: string) {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true)
  const words: string[] = []
  const literals = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node))
      words.push(node.text)
    else if (ts.isConditionalExpression(node))
      for (const one of [node.whenTrue, node.whenFalse]) literals(one)
    else if (ts.isTemplateExpression(node) || ts.isJsxExpression(node) || ts.isTemplateSpan(node))
      ts.forEachChild(node, literals)
    else if (ts.isBinaryExpression(node)) for (const one of [node.left, node.right]) literals(one)
  }
  const visit = (node: ts.Node): void => {
    if (ts.isJsxText(node)) words.push(node.text)
    else if (ts.isJsxExpression(node) && !ts.isJsxAttribute(node.parent)) literals(node)
    else if ((ts.isJsxAttribute(node) || ts.isPropertyAssignment(node)) && node.initializer)
      if (TEXT_ATTRIBUTES.test(node.name.getText(source))) literals(node.initializer)
    // The messages of rules in `shared`: z.string().min(1, 'CPF inválido').
    if (ts.isCallExpression(node)) for (const one of node.arguments) if (isSentence(one)) words.push(one.text)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return words.map((text) => text.replace(/\s+/g, ' ').trim()).filter(Boolean)
}

test('every text on a screen is Portuguese, except those that the specification leaves English (GEN-1)', () => {
  const said = ['client/src', 'shared/src']
    .flatMap((folder) => sources(join(ROOT, folder)))
    .flatMap((path) => wordsOf(path).map((text) => ({ text, path: relative(ROOT, path) })))
  expect(said.length).toBeGreaterThan(500)
  // A sentence; colour names, kinds and parameters are single lower-case words.
  const sentences = said.filter(({ text }) => /^\p{Lu}/u.test(text) || /\s/.test(text))
  expect(sentences.filter(({ text }) => ENGLISH.test(text) && ![...LEFT, ...WIRE].includes(text))).toEqual([])
  const everything = said.map(({ text }) => text)
  expect(LEFT.filter((text) => !everything.includes(text))).toEqual([])
})
