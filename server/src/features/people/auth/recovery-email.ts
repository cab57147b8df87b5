import type { OutgoingEmail } from '../mail/service.ts'

const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/** The recovery email as plain text and HTML. `url` contains the token, so both are secret. */
export function recoveryEmail(recipient: string, name: string, url: string): OutgoingEmail {
  const [greeting, link] = [escaped(name), escaped(url)]
  return {
    recipient,
    subject: 'Garantia: recuperação de senha',
    body: `Olá, ${name}.

Recebemos um pedido para recuperar a sua senha. Abra o endereço abaixo para escolher uma nova:

${url}

O endereço vale por 2 horas e só pode ser usado uma vez. Se você não fez este pedido, ignore esta mensagem: nada mudou.
`,
    html: `<!doctype html>
<html lang="pt-BR"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Recuperação de senha</title></head>
<body style="margin:0;background:#f6f7f9;font-family:Arial,Helvetica,sans-serif;color:#1c2127">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" style="max-width:480px;background:#ffffff;border:1px solid #dce0e5;border-radius:8px" cellpadding="0" cellspacing="0"><tr><td style="padding:32px">
<p style="margin:0 0 24px;font-size:18px;font-weight:bold;color:#D92534">Garantia</p>
<p style="margin:0 0 16px;font-size:15px;line-height:22px">Olá, ${greeting}.</p>
<p style="margin:0 0 24px;font-size:15px;line-height:22px">Recebemos um pedido para recuperar a sua senha.</p>
<p style="margin:0 0 24px"><a href="${link}" style="display:inline-block;background:#D92534;color:#ffffff;text-decoration:none;font-size:15px;font-weight:bold;padding:12px 24px;border-radius:4px">Escolher nova senha</a></p>
<p style="margin:0 0 16px;font-size:13px;line-height:20px;color:#5f6b7c">Se o botão não abrir, copie este endereço no navegador:<br><span style="word-break:break-all">${link}</span></p>
<p style="margin:0;font-size:13px;line-height:20px;color:#5f6b7c">O endereço vale por 2 horas e só pode ser usado uma vez. Se você não fez este pedido, ignore esta mensagem: nada mudou.</p>
</td></tr></table></td></tr></table></body></html>
`,
  }
}
