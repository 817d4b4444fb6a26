/**
 * Title and description of a screen that takes them from its own texts; React lifts them into the head. Such a screen
 * exports `const meta = () => []`, so that the frame's title is not there as well.
 */
export function PageHead({ title, description, hidden }: { title: string; description?: string; hidden?: boolean }) {
  return (
    <>
      <title>{`${title} · Rheinklang`}</title>
      {description && <meta name="description" content={description} />}
      {hidden && <meta name="robots" content="noindex" />}
    </>
  )
}
