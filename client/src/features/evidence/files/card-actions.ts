export type FileAction =
  | 'view'
  | 'convert'
  | 'download'
  | 'original'
  | 'remove'
  | 'describe'
  | 'turn-right'
  | 'turn-left'

export interface CardRights {
  mayConvert: boolean
  mayDelete: boolean
  mayChange: boolean
}
