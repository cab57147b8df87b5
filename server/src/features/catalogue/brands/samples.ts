import type { ClaimWindows } from '@garantia/shared/claims/deadlines'
import type { EvidenceCategory } from '@garantia/shared/evidence/category'

/**
 * Invented but plausible starting values: the rules of the manufacturers are behind dealer log-ins. The
 * client labels them («Valores de exemplo»), and an administrator corrects them.
 */
interface SampleBrand extends ClaimWindows {
  slug: string
  display_name: string
  max_file_size_mb: number
  max_video_count: number
  max_evidence_count: number
  max_powerpoint_size_mb: number | null
  accepted_video_formats: string[]
  accepted_image_formats: string[]
  processing_time_seconds: number
  storage_retention_months: number | null
  submission_system: string | null
  naming_template: string
  required: Partial<Record<EvidenceCategory, number>>
}

/** Invented as all the rest. */
const SAMPLE_WINDOWS: ClaimWindows = {
  claim_send_days: 30,
  claim_return_days: 15,
  claim_appeal_days: 30,
  claim_part_days: 90,
  claim_answer_days: 20,
  claim_credit_days: 30,
}

const sample = (
  slug: string,
  display_name: string,
  [max_file_size_mb, max_video_count, max_evidence_count, max_powerpoint_size_mb]: [
    number,
    number,
    number,
    number | null,
  ],
  [videos, images]: [string, string],
  processing_time_seconds: number,
  storage_retention_months: number | null,
  submission_system: string | null,
  naming_template: string,
  required: SampleBrand['required'],
): SampleBrand => ({
  ...SAMPLE_WINDOWS,
  slug,
  display_name,
  max_file_size_mb,
  max_video_count,
  max_evidence_count,
  max_powerpoint_size_mb,
  accepted_video_formats: videos.split(','),
  accepted_image_formats: images.split(','),
  processing_time_seconds,
  storage_retention_months,
  submission_system,
  naming_template,
  required,
})

/** The sample brands that `initializeBrands` creates. */
export const SAMPLE_BRANDS: readonly SampleBrand[] = [
  sample(
    'volkswagen',
    'Volkswagen',
    [25, 2, 20, 10],
    ['mp4', 'jpg,png'],
    90,
    24,
    'Portal do concessionário (exemplo)',
    '{os}_{chassi8}_{categoria}_{seq2}',
    { chassi: 1, placa: 1, odometro: 1, defeito: 2, tela_aparelho: 1, pecas: 1 },
  ),
  sample(
    'fiat',
    'Fiat',
    [20, 1, 15, 8],
    ['mp4,mov', 'jpg'],
    60,
    24,
    'Portal web (exemplo)',
    'OS{os}_{categoria}_{seq2}',
    { chassi: 1, odometro: 1, defeito: 2, solucionado: 1 },
  ),
  sample(
    'jeep',
    'Jeep',
    [20, 1, 15, 8],
    ['mp4,mov', 'jpg'],
    60,
    24,
    'Portal web (exemplo)',
    'OS{os}_{categoria}_{seq2}',
    { chassi: 1, odometro: 1, defeito: 2, solucionado: 1, pos_rodagem: 1 },
  ),
  sample(
    'chevrolet',
    'Chevrolet',
    [30, 2, 25, null],
    ['mp4', 'jpg,png'],
    120,
    36,
    'Portal de garantia (exemplo)',
    '{chassi}_{seq2}_{categoria}',
    { chassi: 1, placa: 1, odometro: 1, defeito: 2, pecas: 1 },
  ),
  sample(
    'toyota',
    'Toyota',
    [15, 1, 12, 5],
    ['mp4', 'jpg'],
    45,
    60,
    'Relatório técnico em PowerPoint (exemplo)',
    '{chassi8}-{data}-{categoria}-{seq2}',
    {
      chassi: 1,
      odometro: 1,
      defeito: 3,
      detalhe_problema_nitido: 1,
      causa: 1,
      pecas: 1,
      pos_solucionado: 1,
    },
  ),
  sample(
    'hyundai',
    'Hyundai',
    [50, 3, 30, 15],
    ['mp4,avi', 'jpg,png'],
    180,
    36,
    'Portal do concessionário (exemplo)',
    '{os}-{seq2}-{categoria}',
    { chassi: 1, placa: 1, odometro: 1, diagonal_dt: 2, defeito: 2, prints_telas: 1 },
  ),
  sample(
    'honda',
    'Honda',
    [10, 1, 10, 5],
    ['mp4', 'jpg'],
    45,
    24,
    'E-mail ao analista (exemplo)',
    '{chassi6}_{categoria}_{seq2}',
    { chassi: 1, odometro: 1, defeito: 1, pecas: 1, solucionado: 1 },
  ),
  sample(
    'renault',
    'Renault',
    [30, 2, 20, null],
    ['mp4,mov', 'jpg,png'],
    90,
    12,
    'Portal web (exemplo)',
    '{placa}_{os}_{categoria}_{seq2}',
    { chassi: 1, placa: 1, odometro: 1, defeito: 1, teste: 1 },
  ),
  sample(
    'nissan',
    'Nissan',
    [20, 2, 20, 10],
    ['mp4,wmv', 'jpg'],
    90,
    24,
    'Portal de garantia (exemplo)',
    '{os}_{categoria}_{data}_{seq2}',
    { chassi: 1, odometro: 1, tela_aparelho: 1, defeito: 2, pecas: 1 },
  ),
  sample(
    'ford',
    'Ford',
    [40, 3, 30, null],
    ['mp4,mov', 'jpg,png'],
    120,
    24,
    null,
    '{chassi8}_{categoria}_{seq2}',
    { chassi: 1, chassi_no_vidro: 1, odometro: 1, defeito: 2, inspecao: 1, reparo: 1 },
  ),
  sample(
    'byd',
    'BYD',
    [100, 4, 40, 20],
    ['mp4,mov', 'jpg,png,webp'],
    300,
    null,
    'Aplicativo da marca (exemplo)',
    '{chassi}_{categoria}_{seq2}',
    { chassi: 1, odometro: 1, prints_telas: 2, defeito: 2 },
  ),
]

/** A matriz and a filial to try the product with; both CNPJs are valid test numbers. */
export const SAMPLE_MATRIZ = {
  trading_name: 'Concessionária Exemplo',
  legal_name: 'Exemplo Comércio de Veículos Ltda',
  tax_id: '11222333000181',
  city: 'São Paulo',
  state: 'SP',
}
export const SAMPLE_FILIAL = {
  trading_name: 'Concessionária Exemplo Filial Campinas',
  legal_name: 'Exemplo Comércio de Veículos Ltda',
  tax_id: '11222333000262',
  city: 'Campinas',
  state: 'SP',
}
