import type { Metrics } from '@garantia/shared/orders/metrics'

/** Sample figures shown when none could be loaded, always together with the banner (D-26). */
export const SAMPLE: Metrics = {
  total_orders: 128,
  completed_orders: 86,
  in_analysis_orders: 9,
  pending_orders: 14,
  cancelled_orders: 5,
  completion_rate: 67.2,
  average_processing_time_hours: 76.5,
  total_revenue: 154_320.5,
  average_order_value: 1_794.42,
  orders_by_brand: { Honda: 34, Volkswagen: 29, Fiat: 21, Chevrolet: 18, Toyota: 12 },
  monthly_growth: 8.4,
  weekly_orders: 17,
  weekly_series: [1, 4, 3, 2, 4, 3, 0].map((orders, i) => ({ day: `2026-01-${11 + i}`, orders })),
  active_brands: 11,
  active_companies: 3,
  total_customers: 97,
}
