import { Button } from '@blueprintjs/core'

interface Props {
  text: string
  isBusy: boolean
}

/** The submit button of a public page, as wide as its fields. */
export const SubmitButton = ({ text, isBusy }: Props) => (
  <Button type="submit" intent="primary" size="large" fill text={text} loading={isBusy} />
)
