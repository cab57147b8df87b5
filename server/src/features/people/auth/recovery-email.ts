import { composeEmail } from '../mail/service.ts'

/** The recovery email. `url` contains the token, so the whole message is secret. */
export const recoveryEmail = (recipient: string, name: string, url: string) =>
  composeEmail({
    recipient,
    name,
    subject: 'recuperação de senha',
    text: 'Recebemos um pedido para recuperar a sua senha.',
    button: { text: 'Escolher nova senha', url },
    note: 'O endereço vale por 2 horas e só pode ser usado uma vez. Se você não fez este pedido, ignore esta mensagem: nada mudou.',
  })
