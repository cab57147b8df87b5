import { type DossierBuild, prepareContents } from '@garantia/server/features/records/dossier'
import type { Ctx } from '@garantia/server/kernel'
import type { EvidenceCategory } from '@garantia/shared/evidence/category'
import type { FileType } from '@garantia/shared/evidence/formats'

type File = DossierBuild['files'][number]
const AT = new Date('2026-11-20T13:05:00Z')

/** A file of a dossier in memory. */
export const dossierFile = (id: number, fields: Partial<File['row']> = {}, name?: string): File => ({
  key: `os/1/${id}`,
  name: name ?? `OS123456_${fields.evidence_category ?? 'sem'}_${id}.jpg`,
  size: 1_234_567,
  crc32: 1,
  sha256: 'ab'.repeat(32),
  at: AT,
  row: {
    id,
    file_type: 'image' as FileType,
    evidence_category: 'defeito' as EvidenceCategory | null,
    description: null,
    original_filename: `IMG_${id}.HEIC`,
    file_size: 4_321_000,
    sha256: 'cd'.repeat(32),
    uploaded_at: AT,
    uploaded_by: 7,
    captured_at: null,
    width: 2000,
    height: 1500,
    duration_seconds: null,
    pages: null,
    camera: null,
    orientation: null,
    rotation: 0,
    original_width: 4000,
    original_height: 3000,
    format: 'heic',
    converted_format: 'jpeg',
    has_location: false,
    ...fields,
  } as File['row'],
})

/** The contents of a dossier in memory, for report and slides. */
export const dossierBuild = (fields: Partial<DossierBuild> = {}): DossierBuild => ({
  dossier_id: 1,
  order_id: 1,
  n: 1,
  actor: 'Ana Diretora',
  order: {
    id: 1,
    os_number: '123456',
    status: 'completed',
    brand: 'Toyota',
    company: 'Concessionária Sol',
    company_tax_id: '11222333000181',
    opened_at: AT.toISOString(),
    completed_at: AT.toISOString(),
    vehicle_model: 'Corolla Cross XRE',
    vehicle_year: 2025,
    vehicle_color: 'Prata',
    vehicle_plate: 'ABC1D23',
    vehicle_chassis: '9BGXX00X00B123456',
    vehicle_mileage: 12_345,
    customer_name: 'Maria da Conceição',
    technician_name: 'José Técnico',
    problem_description: 'Ruído metálico na suspensão dianteira direita, só em curva.',
    diagnosis: 'Amortecedor com folga.',
    solution_applied: 'Troca do amortecedor.',
    parts_replaced: 'Amortecedor dianteiro direito',
    service_value: 350,
    parts_value: 1200,
    total_value: 1550,
  },
  company: {
    trading_name: 'Concessionária Sol',
    legal_name: 'Sol Veículos Ltda',
    tax_id: '11222333000181',
    address: 'Av. Paulista, 1000',
    city: 'São Paulo',
    state: 'SP',
    zip_code: '01310100',
    phone: '11987654321',
    email: 'garantia@sol.com.br',
  },
  logo: null,
  brand: {
    display_name: 'Toyota',
    max_file_size_mb: 25,
    max_evidence_count: 60,
    required_categories: [
      { category: 'chassi', min: 1 },
      { category: 'defeito', min: 2 },
    ],
  } as DossierBuild['brand'],
  files: [],
  people: new Map([[7, 'João da Silva']]),
  links: new Map([[3, 'Mecânico João']]),
  history: [
    { at: AT, actor: 'Ana Diretora', text: 'Ordem de serviço aberta.' },
    { at: AT, actor: 'João da Silva', text: 'Envio de 12 arquivos.' },
  ],
  left_out: [],
  checks: [],
  head: { seq: 12, hash: 'ef'.repeat(32) },
  previous: null,
  ...fields,
})

const TOOLS = { garantia: '0.1.0', ffmpeg: '8.0', sharp: '0.35.5', libvips: '8.17.2' }
/** What a report quotes of its manifest. */
export const dossierPreparation = (build: DossierBuild, sealed_at: Date) =>
  prepareContents(
    {
      config: {
        DOSSIER_KEY: 'd0'.repeat(32),
        app_url: 'https://garantia.exemplo.com.br',
        PUBLIC_VERIFICATION: true,
      },
    } as Ctx,
    build,
    sealed_at,
    TOOLS,
  )
