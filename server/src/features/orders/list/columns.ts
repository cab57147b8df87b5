import { formatPhone } from '@garantia/shared/br/phone'
import { formatTaxId } from '@garantia/shared/br/tax-id'
import { formatPlate } from '@garantia/shared/br/vehicle'
import { CLAIM_STATE } from '@garantia/shared/claims/state'
import { conversionBadge } from '@garantia/shared/orders/conversion-badge'
import { ORDER_STATUS } from '@garantia/shared/orders/status'
import type { ExportedOrder } from './export-rows.ts'
import type { Cell, SheetColumn } from './sheet.ts'

interface Column extends SheetColumn {
  of: (order: ExportedOrder) => Cell
}

const text = (header: string, width: number, of: Column['of']): Column => ({ header, width, of })

/** The columns of the export; of orders that are not `isWhole`, masked values stay as they are. */
export const columnsFor = (isWhole: boolean): Column[] => {
  const personal = (bare: string | null, whole: (bare: string) => string) =>
    bare && (isWhole ? whole(bare) : bare)
  return [
    text('OS', 9, (order) => order.os_number),
    text('Status', 20, (order) => ORDER_STATUS[order.status].label),
    text('Conversão', 21, (order) => conversionBadge(order).label),
    text('Marca', 16, (order) => order.brand),
    text('Empresa', 30, (order) => order.company),
    text('CNPJ da empresa', 20, (order) => formatTaxId(order.company_tax_id)),
    text('Cliente', 32, (order) => order.customer_name),
    text('CPF/CNPJ', 20, (order) => personal(order.customer_document, formatTaxId)),
    text('Telefone', 17, (order) => personal(order.customer_phone, formatPhone)),
    text('Modelo', 18, (order) => order.vehicle_model),
    text('Ano', 7, (order) => order.vehicle_year),
    text('Placa', 11, (order) => order.vehicle_plate && formatPlate(order.vehicle_plate)),
    text('Chassi', 20, (order) => order.vehicle_chassis),
    text('Quilometragem', 14, (order) => order.vehicle_mileage),
    text('Técnico', 24, (order) => order.technician_name),
    text('Responsável', 24, (order) => order.responsible),
    { header: 'Abertura', width: 17, numberFormat: 'datetime', of: (order) => order.opened },
    { header: 'Conclusão', width: 17, numberFormat: 'datetime', of: (order) => order.completed },
    text('Dias em aberto', 14, (order) => order.days_open),
    text('Garantia', 20, (order) => order.claim_state && CLAIM_STATE[order.claim_state].label),
    text('Próxima data', 13, (order) => order.claim_due?.split('-').reverse().join('/') ?? null),
    { header: 'Valor do serviço', width: 17, numberFormat: 'money', of: (order) => order.service_value },
    { header: 'Valor das peças', width: 17, numberFormat: 'money', of: (order) => order.parts_value },
    { header: 'Valor total', width: 17, numberFormat: 'money', of: (order) => order.total_value },
  ]
}
