import { inGroups } from '@garantia/shared/dossier/proof'
import {
  STAMP_WITHIN_HOURS,
  type Stamp,
  timeBesideSeal,
  type ValidStamp,
} from '@garantia/shared/dossier/timestamp'
import type { Signer, Verification } from '@garantia/shared/dossier/verify'
import { counted, dateTime } from '@garantia/shared/format'

export type Tone = 'good' | 'warning' | 'bad'
export interface Verdict {
  tone: Tone
  title: string
  text: string
}
/** One of the three results, which say nothing about one another. */
export interface Result {
  label: 'Integridade' | 'Assinatura' | 'Carimbo de tempo'
  tone: Tone
  text: string
}

/** Whether anything was changed, who has signed, and who has stamped. */
export function resultsOf(verification: Verification, stamp: Stamp | null): Result[] {
  const { findings, manifest, signer } = verification
  const integrity: Record<Verification['integrity'], Omit<Result, 'label'>> = {
    intact: { tone: 'good', text: 'Nada mudou desde a assinatura, seja de quem for.' },
    unsigned: { tone: 'warning', text: 'Os arquivos são os que o manifesto lista, que ninguém assinou.' },
    changed: {
      tone: 'bad',
      text: `${counted(findings.length, 'diferença encontrada', 'diferenças encontradas')}.`,
    },
  }
  return [
    { label: 'Integridade', ...integrity[verification.integrity] },
    { label: 'Assinatura', ...signatureResult(signer) },
    { label: 'Carimbo de tempo', ...stampResult(stamp, manifest?.sealed_at ?? '') },
  ]
}

function signatureResult(signer: Signer | null): Omit<Result, 'label'> {
  if (!signer) return { tone: 'warning', text: 'Nenhuma que valha: não se sabe quem selou.' }
  const key = inGroups(signer.key_id)
  if (signer.trust === 'house')
    return { tone: 'good', text: `De uma chave da casa que publicou esta página: ${key}.` }
  if (signer.trust === 'stranger')
    return {
      tone: 'bad',
      text: `O manifesto foi assinado por uma chave estranha, que não é desta casa: ${key}. Quem o assinou pode ter mudado tudo.`,
    }
  return {
    tone: 'warning',
    text: `Chave não conferida: esta página não traz a de nenhuma casa. Compare ${key} com a que o emissor publica.`,
  }
}

function stampResult(stamp: Stamp | null, sealed_at: string): Omit<Result, 'label'> {
  if (!stamp) return { tone: 'good', text: 'Nenhum: a hora é só a do relógio do servidor do emissor.' }
  if (!stamp.is_valid) return { tone: 'bad', text: stamp.text }
  const time = timeProblem(stamp, sealed_at)
  const authority = authorityText(stamp)
  return {
    tone: stamp.is_pinned && !time ? 'good' : 'warning',
    text: time ? `${authority} ${time}` : authority,
  }
}

const ANYBODY = 'Qualquer pessoa pode criar uma autoridade com qualquer nome.'
function authorityText({ is_pinned }: ValidStamp) {
  if (is_pinned) return 'De uma autoridade que a casa que publicou esta página fixou como confiável.'
  return is_pinned === null
    ? `Autoridade não conferida: esta página não traz nenhuma com que comparar. ${ANYBODY}`
    : `Autoridade desconhecida: não é das que a casa que publicou esta página fixou. ${ANYBODY}`
}

/** What is odd about the time of a stamp; empty when it goes with the sealing. */
function timeProblem(stamp: ValidStamp, sealed_at: string) {
  const times = `o carimbo é de ${dateTime(stamp.at)}, e o selo diz ${dateTime(sealed_at)}`
  return {
    with: '',
    before: `A hora não confere: ${times}. Um carimbo não pode ser anterior ao selo: um dos relógios estava errado.`,
    after: `Veio tarde: ${times}, mais de ${STAMP_WITHIN_HOURS} horas antes. O carimbo só prova que o manifesto existia na hora do carimbo, não na do selo.`,
  }[timeBesideSeal(stamp, sealed_at)]
}

/** Sums up the results in one sentence, led by the most serious. */
export function verdictOf(
  { integrity, signer, findings, manifest }: Verification,
  stamp: Stamp | null,
): Verdict {
  if (integrity === 'changed')
    return {
      tone: 'bad',
      title: manifest ? 'O dossiê não está como foi selado' : 'Não é um dossiê que se possa conferir',
      text: `${counted(findings.length, 'diferença encontrada', 'diferenças encontradas')}. Não se apoie neste dossiê antes de esclarecer isto com quem o selou.`,
    }
  if (signer?.trust === 'stranger')
    return {
      tone: 'bad',
      title: 'O dossiê não foi assinado por esta casa',
      text: 'Os arquivos são os que a assinatura cobre, mas ela é de uma chave estranha: não se apoie neste dossiê antes de saber de quem ela é.',
    }
  if (integrity === 'unsigned')
    return {
      tone: 'warning',
      title: 'Os arquivos conferem, mas o dossiê não tem assinatura',
      text: 'Os arquivos são os que o manifesto lista, mas qualquer um pode ter escrito o manifesto. Só dossiês selados antes de haver assinaturas são assim: confirme com o emissor se este é um deles.',
    }
  const intact = 'Todos os arquivos são os que foram selados'
  if (stamp?.is_valid === false)
    return {
      tone: 'warning',
      title: 'O dossiê está íntegro; o carimbo de tempo não vale',
      text: `${intact}. ${stamp.text}`,
    }
  if (signer?.trust !== 'house')
    return {
      tone: 'warning',
      title: 'O dossiê está íntegro; falta conferir de quem é a chave',
      text: `${intact}. Compare a chave abaixo com a que o emissor publica.`,
    }
  const signed = `${intact}, e a assinatura é de uma chave da casa que publicou esta página`
  if (!stamp) return { tone: 'good', title: 'O dossiê está íntegro', text: `${signed}.` }
  if (!stamp.is_pinned)
    return {
      tone: 'warning',
      title: 'O dossiê está íntegro; falta conferir a autoridade do carimbo',
      text: `${signed}. Não se sabe quem carimbou.`,
    }
  if (manifest && timeProblem(stamp, manifest.sealed_at))
    return {
      tone: 'warning',
      title: 'O dossiê está íntegro; a hora do carimbo não é a do selo',
      text: `${signed}. ${timeProblem(stamp, manifest.sealed_at)}`,
    }
  return {
    tone: 'good',
    title: 'O dossiê está íntegro',
    text: `${signed}; o carimbo de tempo é de uma autoridade que ela fixou.`,
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

/** What an intact and signed dossier proves, and what it does not. */
export const PROVED = [
  'Nenhum byte de nenhum arquivo mudou desde o selo; nada falta, nada foi acrescentado, renomeado ou trocado.',
  'O manifesto foi assinado por quem tem a chave indicada, e por ninguém mais.',
  'O SHA-256 de cada original está no manifesto: quem tem o original pode mostrar que é ele.',
]
export const notProved = (stamp: Stamp | null) => [
  'Que o que as fotos e os textos mostram é verdade: a assinatura diz quem selou, não o que aconteceu.',
  stamp?.is_valid && stamp.is_pinned
    ? 'A hora da captura, que é a que o aparelho gravou no arquivo, e as datas dos arquivos dentro do ZIP.'
    : 'A hora exata: é a do relógio do servidor do emissor; a da captura é a que o aparelho gravou no arquivo, e as datas dos arquivos dentro do ZIP não foram seladas.',
  'Que a chave é mesmo do emissor, se esta página veio junto com o dossiê: compare a chave com a do endereço dele.',
]

/** What a valid stamp says, and by whom it is. */
export function stampText({ at, authority, root, is_pinned, expired_at }: ValidStamp): string[] {
  const issuer = root === authority ? '' : ` (certificada por ${root})`
  const says = is_pinned
    ? `Este manifesto já existia em ${dateTime(at)} (horário de Brasília): foi o que carimbou ${authority}${issuer}.`
    : `Quem se chama ${authority}${issuer} carimbou que este manifesto já existia em ${dateTime(at)} (horário de Brasília). Isso só prova a hora para quem confere de outro modo que o certificado é dessa autoridade, e confia nela.`
  const expired = expired_at
    ? [`O certificado venceu em ${dateTime(expired_at)}; no momento do carimbo valia, e isso basta.`]
    : []
  return [says, ...expired]
}
