import { checkPackage, type JudgedFile, type JudgedOrder, type PackageRules } from '../evidence/validation.ts'

export interface CompletableOrder extends JudgedOrder {
  vehicle_chassis: string | null
  vehicle_mileage: number | null
  diagnosis: string | null
  solution_applied: string | null
  parts_replaced: string | null
}

/**
 * What stands against completing an order (D-10), in the clerk's words: the package's own errors, and the
 * data that only the end of an order demands (D-23, V11).
 */
export function completionProblems(
  rules: PackageRules,
  order: CompletableOrder,
  files: readonly JudgedFile[],
): string[] {
  const showsParts = files.some((file) => file.evidence_category === 'pecas')
  const missing = [
    !order.vehicle_chassis && 'chassi',
    order.vehicle_mileage === null && 'quilometragem',
    !order.diagnosis && 'diagnóstico',
    !order.solution_applied && 'solução aplicada',
    showsParts && !order.parts_replaced && 'peças substituídas',
  ].filter((name) => name !== false)
  return [
    ...checkPackage(rules, order, files)
      .filter((check) => !check.ok && check.severity === 'error')
      .map((check) => check.message),
    ...(missing.length > 0 ? [`Preencha para concluir: ${missing.join(', ')}`] : []),
  ]
}
