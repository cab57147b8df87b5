import type { OutgoingEmail } from './outbox.ts'

interface EmailContent {
  recipient: string
  subject: string
  name: string
  /** What happened. */
  text: string
  /** A list below it; what others have chosen in it is `shortened`. */
  lines?: readonly string[]
  /** Another text with its list. */
  also?: { text: string; lines: readonly string[] } | undefined
  /** Both are secret where the address contains a token. */
  button?: { text: string; url: string }
  /** Small print. */
  note: string
}

const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
const SHOWN = 40
/**
 * Words that somebody unknown may have chosen, on one short line and without an address: anybody may open an
 * account with somebody else's email, and the mails to it are ours.
 */
export const shortened = (text: string) =>
  text
    .replace(/[^\p{L}\p{M}\p{N}.,'’&()-]+/gu, ' ')
    // What mail programs would make a link of.
    .replace(/\.(?=[\p{L}\p{N}])/gu, '. ')
    .trim()
    .slice(0, SHOWN)
    .trim()

const SMALL = 'font-size:13px;line-height:20px;color:#5f6b7c'

const listed = (
  lines: readonly string[],
) => `<ul style="margin:0 0 24px;padding-left:20px;font-size:15px;line-height:22px">${lines
  .map((line) => `<li>${escaped(line)}</li>`)
  .join('')}</ul>
`

const paragraph = (text: string, lines: readonly string[]) =>
  `<p style="margin:0 0 24px;font-size:15px;line-height:22px">${escaped(text)}</p>
${lines.length > 0 ? listed(lines) : ''}`
const dashed = (text: string, lines: readonly string[]) =>
  [text, ...lines.map((line) => `- ${line}`)].join('\n')

/** An email of the product, as plain text and as HTML with the same content. */
export function composeEmail({
  recipient,
  subject,
  name,
  text,
  lines = [],
  also,
  button,
  note,
}: EmailContent): OutgoingEmail {
  const greeted = shortened(name)
  const [link, word] = [escaped(button?.url ?? ''), escaped(button?.text ?? '')]
  return {
    recipient,
    subject: `Garantia: ${subject}`,
    body: `Olá, ${greeted}.

${dashed(text, lines)}${also ? `\n\n${dashed(also.text, also.lines)}` : ''}
${button ? `\n${button.text}:\n\n${button.url}\n` : ''}
${note}
`,
    html: `<!doctype html>
<html lang="pt-BR"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(subject)}</title></head>
<body style="margin:0;background:#f6f7f9;font-family:Arial,Helvetica,sans-serif;color:#1c2127">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" style="max-width:480px;background:#ffffff;border:1px solid #dce0e5;border-radius:8px" cellpadding="0" cellspacing="0"><tr><td style="padding:32px">
<p style="margin:0 0 24px;font-size:18px;font-weight:bold;color:#D92534">Garantia</p>
<p style="margin:0 0 16px;font-size:15px;line-height:22px">Olá, ${escaped(greeted)}.</p>
${paragraph(text, lines)}${also ? paragraph(also.text, also.lines) : ''}${
  button
    ? `<p style="margin:0 0 24px"><a href="${link}" style="display:inline-block;background:#D92534;color:#ffffff;text-decoration:none;font-size:15px;font-weight:bold;padding:12px 24px;border-radius:4px">${word}</a></p>
<p style="margin:0 0 16px;${SMALL}">Se o botão não abrir, copie este endereço no navegador:<br><span style="word-break:break-all">${link}</span></p>
`
    : ''
}<p style="margin:0;${SMALL}">${escaped(note)}</p>
</td></tr></table></td></tr></table></body></html>
`,
  }
}
