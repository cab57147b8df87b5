import { inGroups } from '@garantia/shared/dossier/proof'
import type { Stamp } from '@garantia/shared/dossier/timestamp'
import type { Verification } from '@garantia/shared/dossier/verify'
import { counted, dateTime } from '@garantia/shared/format'

export interface Verdict {
  tone: 'good' | 'warning' | 'bad'
  title: string
  text: string
}

/** The result in a sentence. */
export function verdictOf(
  { verdict, signer, findings, manifest }: Verification,
  stamp: Stamp | null,
): Verdict {
  if (verdict === 'broken')
    return {
      tone: 'bad',
      title: manifest ? 'O dossiê não está como foi selado' : 'Não é um dossiê que se possa conferir',
      text: `${counted(findings.length, 'diferença encontrada', 'diferenças encontradas')}. Não se apoie neste dossiê antes de esclarecer isto com quem o selou.`,
    }
  if (verdict === 'unsigned')
    return {
      tone: 'warning',
      title: 'Os arquivos conferem, mas o dossiê não tem assinatura',
      text: 'Os arquivos são os que o manifesto lista, mas qualquer um pode ter escrito o manifesto. Só dossiês selados antes de haver assinaturas são assim: confirme com o emissor se este é um deles.',
    }
  if (stamp?.is_valid === false)
    return {
      tone: 'warning',
      title: 'O dossiê está íntegro; o carimbo de tempo não vale',
      text: `Todos os arquivos são os que foram selados. ${stamp.text}`,
    }
  if (signer?.is_house)
    return {
      tone: 'good',
      title: 'O dossiê está íntegro',
      text: 'Todos os arquivos são os que foram selados, e a assinatura é de uma chave da casa que publicou esta página.',
    }
  return {
    tone: 'warning',
    title: 'O dossiê está íntegro; falta conferir de quem é a chave',
    text: 'Todos os arquivos são os que foram selados. Compare a chave abaixo com a que o emissor publica.',
  }
}

/** What was sealed, by whom and when. */
export function factsOf({ manifest, manifest_sha256, signer }: Verification): [string, string][] {
  if (!manifest) return []
  const { order, event_chain } = manifest
  return [
    ['Ordem de serviço', `${order.os_number} · ${order.brand} · ${order.company}`],
    [
      'Versão',
      `${manifest.version}, selada em ${dateTime(manifest.sealed_at)} (horário de Brasília, relógio do servidor) por ${manifest.sealed_by}`,
    ],
    ['Arquivos', counted(manifest.files.length, 'evidência', 'evidências')],
    ['Chave que assinou', signer ? inGroups(signer.key_id) : 'nenhuma'],
    ['Impressão digital do conteúdo', manifest.contents_sha256 ?? '–'],
    ['Impressão digital do manifesto', manifest_sha256 ?? '–'],
    [
      'Trilha de eventos',
      `${counted(event_chain.seq, 'evento', 'eventos')}; o último tem o hash ${event_chain.hash}`,
    ],
  ]
}

/** What a whole and signed dossier proves, and what it does not. */
export const PROVED = [
  'Nenhum byte de nenhum arquivo mudou desde o selo; nada falta, nada foi acrescentado, renomeado ou trocado.',
  'O manifesto foi assinado por quem tem a chave indicada, e por ninguém mais.',
  'O SHA-256 de cada original está no manifesto: quem tem o original pode mostrar que é ele.',
]
export const notProved = (stamp: Stamp | null) => [
  'Que o que as fotos e os textos mostram é verdade: a assinatura diz quem selou, não o que aconteceu.',
  stamp?.is_valid
    ? 'A hora da captura, que é a que o aparelho gravou no arquivo.'
    : 'A hora exata: é a do relógio do servidor do emissor; a da captura é a que o aparelho gravou no arquivo.',
  'Que a chave é mesmo do emissor, se esta página veio junto com o dossiê: compare a chave com a do endereço dele.',
]

/** What a stamp proves and by whom it is, or why it does not count. */
export function stampText(stamp: Stamp): string[] {
  if (!stamp.is_valid) return [stamp.text]
  const { at, authority, root, is_pinned, expired_at } = stamp
  const issuer = root === authority ? '' : ` (certificada por ${root})`
  return [
    `Este manifesto já existia em ${dateTime(at)} (horário de Brasília): foi o que carimbou ${authority}${issuer}.`,
    ...(expired_at
      ? [`O certificado venceu em ${dateTime(expired_at)}; no momento do carimbo valia, e isso basta.`]
      : []),
    is_pinned
      ? 'É uma autoridade que a casa que publicou esta página fixou como confiável.'
      : 'Confiar nessa autoridade é decisão de quem confere: esta página só mostra que o carimbo é dela.',
  ]
}
