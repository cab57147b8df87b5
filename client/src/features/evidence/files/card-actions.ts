export type FileAction =
  | 'view'
  | 'convert'
  | 'download'
  | 'original'
  | 'remove'
  | 'describe'
  | 'turn-right'
  | 'turn-left'
  | 'mark'
  /** Gives the category that its text tells. */
  | 'accept-category'

export interface CardRights {
  mayConvert: boolean
  mayDelete: boolean
  /** Why nothing of the order can be deleted for now. */
  deletionRefusal: string | null
  mayChange: boolean
}
