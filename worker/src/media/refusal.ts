import { longestVideo } from '@garantia/shared/evidence/budget'
import { bytes, duration, integer } from '@garantia/shared/format'

/** The file itself is the cause, so a retry is useless; the Portuguese message tells the user what to do. */
export class CannotConvert extends Error {
  override readonly name = 'CannotConvert'
}
/** A library failed over the file in a way that was not foreseen; the bytes stay, so a few retries are enough. */
export class ParserFailure extends Error {
  override readonly name = 'ParserFailure'
}
/** For any error while the disk is full: programs that run out of disk rarely report it as such. */
export const diskFull = (cause: unknown) =>
  refusal('Faltou espaço em disco para converter. Libere espaço e processe o arquivo de novo.', cause)

const refusal = (message: string, cause?: unknown) => new CannotConvert(message, { cause })

// The functions below return the error to throw. Sizes are in bytes, durations in seconds.

/** Errors for want of memory. A decoding process has its own limit, so the file is the cause, not the machine. */
export const OUT_OF_MEMORY =
  /out of memory|unable to allocate|cannot allocate|failed to allocate|allocation failed|bad_alloc/i
export const tooDemanding = (cause?: unknown) =>
  refusal(
    'O arquivo exige mais memória ou tempo do que o servidor concede a um arquivo. Exporte-o de novo, mais simples ou menor, e envie.',
    cause,
  )

export const unreadable = (cause?: unknown) =>
  refusal(
    'O arquivo não pôde ser lido: o conteúdo está danificado ou fora do padrão do formato. Gere-o de novo e envie.',
    cause,
  )

export const emptyFile = () => refusal('O arquivo está vazio. Envie-o de novo.')

export const imageDamaged = (cause?: unknown) =>
  refusal('A imagem está truncada ou danificada. Envie o arquivo original de novo.', cause)
export const imageOfOtherKind = () =>
  refusal('O conteúdo não é o de uma imagem do formato anunciado. Envie a foto original em JPG, PNG ou HEIC.')
export const imageTooLarge = (pixels: number, most: number) => {
  const megapixels = (n: number) => integer(Math.round(n / 1e6))
  return refusal(
    `A imagem tem ${megapixels(pixels)} megapixels e o máximo é ${megapixels(most)}. Reduza a resolução e envie de novo.`,
  )
}
export const imageDoesNotFit = (smallest: number, budget: number) =>
  refusal(
    `A imagem precisa de pelo menos ${bytes(smallest)} e só restam ${bytes(Math.max(0, budget))} no pacote: remova esta imagem ou outros arquivos.`,
  )

/** `outdated` names programs that were found but have no maintained version. */
export const videosUnsupported = (program: string, outdated: readonly string[]) =>
  refusal(
    outdated.length > 0
      ? `Este servidor só tem um ${program} antigo, sem correções de segurança (${outdated.join(', ')}), e não abre vídeos com ele. Peça a quem o administra que instale o ffmpeg 4.4 ou mais novo e processe de novo.`
      : `Este servidor não tem o ${program} e não converte vídeos. Peça a quem o administra que instale o ffmpeg e processe de novo.`,
  )
export const videoUnreadable = (cause?: unknown) =>
  refusal(
    'O vídeo não pôde ser lido: está danificado ou não é um vídeo. Envie o arquivo original de novo.',
    cause,
  )
export const videoWithoutPicture = () =>
  refusal('O arquivo não tem imagem de vídeo, só som ou dados. Envie o vídeo original.')
export const videoTooLarge = (width: number, height: number) =>
  refusal(
    `O vídeo tem ${integer(width)} × ${integer(height)} pixels, mais do que se pode converter. Grave ou exporte em até 4K.`,
  )
export const videoIncomplete = (seconds: number, of: number) =>
  refusal(
    `O vídeo está incompleto: só ${duration(seconds)} de ${duration(of)} puderam ser lidos. Envie-o de novo.`,
  )
export const videoTooSlow = (minutes: number) =>
  refusal(
    `A conversão do vídeo passou do tempo máximo de ${minutes} minutos. Corte o vídeo ou envie-o em resolução menor.`,
  )
export const videoTooLongForBrand = (seconds: number, most: number) =>
  refusal(`Vídeo de ${duration(seconds)}, mas a marca aceita até ${duration(most)}: corte ou remova`)
/** `longest` is the duration in seconds that would fit; below 1 the package counts as full. */
export const videoDoesNotFit = (seconds: number, budget: number, longest = longestVideo(budget)) =>
  longest < 1
    ? refusal(
        `Vídeo de ${duration(seconds)}, mas o pacote da marca já está cheio: remova outros arquivos e processe de novo, ou remova este vídeo.`,
      )
    : refusal(`Vídeo de ${duration(seconds)} só cabe com até ${duration(longest)}: corte ou remova`)

export const pdfDamaged = (cause?: unknown) =>
  refusal('O PDF está truncado, danificado ou sem páginas. Gere-o de novo e envie.', cause)
export const pdfLocked = () =>
  refusal('O PDF está protegido por senha e não pode ser reduzido. Remova a senha e envie de novo.')
export const pdfSigned = (size: number, budget: number) =>
  refusal(
    `O PDF tem assinatura digital e não pode ser reduzido: tem ${bytes(size)} e só restam ${bytes(Math.max(0, budget))} no pacote.`,
  )
export const pdfActive = () =>
  refusal(
    'O PDF contém programas ou anexos e não pode ser alterado. Imprima-o como um novo PDF e envie esse arquivo.',
  )
export const pdfDoesNotFit = (smallest: number, budget: number) =>
  refusal(
    `O PDF só pôde ser reduzido a ${bytes(smallest)} e restam ${bytes(Math.max(0, budget))} no pacote: divida-o ou remova páginas.`,
  )
export const pdfTooLarge = (size: number, most: number) =>
  refusal(
    `O PDF tem ${bytes(size)} e o máximo para redução é ${bytes(most)}: divida-o ou gere-o com imagens menores.`,
  )

export const sheetDamaged = (cause?: unknown) =>
  refusal('O arquivo não é uma planilha XLSX nem um CSV, ou está danificado. Exporte-o de novo.', cause)
export const sheetTooLarge = (most: number) =>
  refusal(`A planilha ocupa mais de ${bytes(most)} ao ser aberta. Exporte-a como CSV ou divida-a.`)

export const documentDamaged = (cause?: unknown) =>
  refusal('O documento está danificado e não pôde ser lido. Salve-o de novo e envie.', cause)
export const documentActive = (ext: string) =>
  refusal(
    `O documento contém macros ou partes que são carregadas de outro lugar, e assim não vai à marca. Salve-o sem macros (.${ext}) ou como PDF e envie de novo.`,
  )
export const documentDoesNotFit = (size: number, budget: number) =>
  refusal(
    `O documento tem ${bytes(size)} e só restam ${bytes(Math.max(0, budget))} no pacote: reduza-o ou envie-o como PDF.`,
  )
