import { z } from 'zod'
import { text } from '../fields.ts'

const LONG = 4_000
const required = (max: number, missing: string) => text(max).min(1, missing)

/** The columns of the register of processing activities (LGPD, art. 37), in the order of the page. */
export const ACTIVITY_LABEL = {
  name: 'Atividade',
  purpose: 'Finalidade',
  legal_basis: 'Base legal',
  subjects: 'Titulares',
  data: 'Categorias de dados',
  sharing: 'Compartilhamento',
  retention: 'Prazo de guarda',
  security: 'Medidas de segurança',
} as const
export type ActivityField = keyof typeof ACTIVITY_LABEL
export const ACTIVITY_FIELDS = Object.keys(ACTIVITY_LABEL) as ActivityField[]

const activity = z.object({
  name: required(120, 'Dê um nome à atividade'),
  purpose: required(LONG, 'Informe a finalidade'),
  legal_basis: required(LONG, 'Informe a base legal'),
  subjects: text(LONG),
  data: required(LONG, 'Informe as categorias de dados'),
  sharing: text(LONG),
  retention: text(LONG),
  security: text(LONG),
})
export type Activity = z.output<typeof activity>

export const registerContent = z.object({
  controller: text(255),
  /** Encarregado pelo tratamento de dados pessoais: name, and how to reach them. */
  officer: text(255),
  officer_contact: text(255),
  activities: z
    .array(activity)
    .min(1, 'O registro precisa de uma atividade')
    .max(60, 'No máximo 60 atividades'),
})
export type RegisterContent = z.output<typeof registerContent>

/** With the version that was read; a version of somebody else meanwhile is refused. */
export const registerInput = z.object({ version: z.number().int().min(0), content: registerContent })
export type RegisterInput = z.output<typeof registerInput>
export const registerQuestion = z.object({ version: z.number().int().positive().optional() })

/** Version 0 is the text that the product brings, which nobody has saved. */
export interface RegisterVersion {
  version: number
  saved_at: string | null
  actor_name: string | null
}
export interface RegisterView extends RegisterVersion {
  content: RegisterContent
  /** All that were saved, the newest first; they are never removed. */
  versions: RegisterVersion[]
}

const SECURITY =
  'Acesso por perfil e por empresa, segundo fator, dados do cliente ocultos para técnicos fora das próprias ordens, registro de acessos, trilha de eventos encadeada, conexões cifradas, cópias de segurança.'
const STAFF_SHARING = 'Ninguém fora da concessionária.'
/** A text for this product, to be adapted by whoever answers for the processing. */
export const REGISTER_TEMPLATE: RegisterContent = {
  controller: '',
  officer: '',
  officer_contact: '',
  activities: [
    {
      name: 'Atendimento da ordem de serviço em garantia',
      purpose:
        'Identificar o veículo e o cliente, executar o reparo em garantia e avisar o cliente sobre ele.',
      legal_basis:
        'Execução de contrato (art. 7º, V) e cumprimento de obrigação legal, Código de Defesa do Consumidor, arts. 18 e 26 (art. 7º, II).',
      subjects: 'Clientes e proprietários dos veículos.',
      data: 'Nome, CPF ou CNPJ, telefone, e-mail, placa, chassi, quilometragem, defeito relatado e valores.',
      sharing:
        'Montadora, dentro do pacote e do dossiê: nome, placa e chassi. Sem documento, telefone ou e-mail.',
      retention:
        'Dados do cliente: 60 meses após a conclusão (Código de Defesa do Consumidor, art. 27), salvo retenção judicial.',
      security: `${SECURITY} O técnico vê inteiros o CPF ou CNPJ, o telefone e o e-mail do cliente nas ordens que abriu, que lhe foram atribuídas ou que estão sem responsável na sua empresa; nas outras, e em listas, buscas e exportações, vê os dados ocultos, e revelar um deles fica registrado.`,
    },
    {
      name: 'Evidências fotográficas e em vídeo',
      purpose: 'Provar à montadora o defeito e o reparo.',
      legal_basis: 'Execução de contrato (art. 7º, V) e exercício regular de direitos (art. 7º, VI).',
      subjects: 'Clientes; pessoas que apareçam nas imagens por acaso.',
      data: 'Imagens e vídeos do veículo, com placa e chassi; data, hora e, se a marca exigir, local da captura.',
      sharing: 'Montadora, no pacote e no dossiê.',
      retention: 'O prazo de guarda de cada marca, contado da conclusão; o registro do dossiê permanece.',
      security: `${SECURITY} Leitura de arquivos em processos isolados; localização retirada das cópias, salvo exigência da marca.`,
    },
    {
      name: 'Dossiê e trilha de eventos',
      purpose: 'Demonstrar anos depois o que foi feito, por quem e quando.',
      legal_basis:
        'Exercício regular de direitos em processo (art. 7º, VI) e legítimo interesse (art. 7º, IX).',
      subjects: 'Clientes; técnicos e gestores que atuaram na ordem.',
      data: 'Nome do cliente, dados do veículo e do reparo, nomes de quem atuou, datas, endereços de rede, códigos de verificação.',
      sharing: 'Montadora e, se exigido, autoridades e juízo.',
      retention:
        'Enquanto puder haver demanda; dados do cliente anonimizados no prazo, sem quebrar a trilha.',
      security: `${SECURITY} Assinatura eletrônica do manifesto e âncoras da trilha fora do banco de dados.`,
    },
    {
      name: 'Contas de usuários e segurança de acesso',
      purpose: 'Permitir o acesso ao sistema, atribuir tarefas e detectar abuso.',
      legal_basis: 'Execução de contrato (art. 7º, V) e legítimo interesse na segurança (art. 7º, IX).',
      subjects: 'Empregados e prestadores da concessionária.',
      data: 'Nome, e-mail ou usuário, telefone, cargo, sessões, endereço de rede e navegador, registros de acesso.',
      sharing: STAFF_SHARING,
      retention: 'Enquanto durar o vínculo; depois, o nome permanece na trilha do que foi feito.',
      security: `${SECURITY} Senhas guardadas apenas como resumo criptográfico.`,
    },
    {
      name: 'Atendimento a pedidos de titulares',
      purpose: 'Responder a pedidos de acesso, correção e eliminação.',
      legal_basis: 'Cumprimento de obrigação legal (art. 7º, II; arts. 18 e 19).',
      subjects: 'Titulares que fazem um pedido.',
      data: 'O dado pelo qual o titular é procurado, os dados encontrados e a resposta.',
      sharing: 'O próprio titular; a ANPD, se requisitar.',
      retention: 'O registro do pedido, sem os dados do titular.',
      security: SECURITY,
    },
  ],
}
