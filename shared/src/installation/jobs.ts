import { z } from 'zod'
import { id } from '../fields.ts'
import type { JobName } from '../jobs.ts'

/** What a job of the queue does, for people. */
export const JOB_LABEL: Record<JobName, string> = {
  'convert-evidence': 'Conversão de um arquivo',
  'preview-evidence': 'Miniatura de um arquivo',
  'read-evidence': 'Leitura de uma foto',
  'read-vehicle-photo': 'Leitura de uma foto para uma nova OS',
  'convert-uploads': 'Conversão dos arquivos recebidos',
  'recheck-orders': 'Nova conferência das OS de uma marca',
  'send-mail': 'Envio de um email',
  'mail-digests': 'Resumos do dia por email',
  'read-order-import': 'Leitura de uma planilha de OS',
  'import-orders': 'Importação de OS',
  'read-remittance': 'Leitura de uma remessa',
  'book-remittance': 'Registro de uma remessa',
  'sweep-sessions': 'Limpeza de sessões e avisos antigos',
  'sweep-uploads': 'Limpeza de envios abandonados',
  'empty-bin': 'Limpeza da lixeira',
  'apply-retention': 'Aplicação dos prazos de guarda',
  'verify-integrity': 'Verificação dos arquivos e da trilha',
  'anchor-trail': 'Registro da trilha no diário',
  'record-present': 'Registro de direitos e valores na trilha',
  'request-timestamps': 'Pedido de carimbos de tempo',
  'send-webhooks': 'Avisos a outros sistemas',
  'back-up': 'Backup',
  'try-backup': 'Prova do backup',
  'build-dossier': 'Geração de um dossiê',
  'build-packages': 'Pacotes de várias OS',
  'anonymise-customer': 'Anonimização de um titular',
  'export-subject': 'Exportação dos dados de um titular',
  'note-due-of-brand': 'Prazos das solicitações de uma marca',
  'note-due-of-order': 'Prazos das solicitações de uma OS',
}

/** Jobs that the page of the installation lists. */
export const JOBS_LISTED = 50

export const jobToRetry = z.object({ job_id: id })
