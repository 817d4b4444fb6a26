import { glyphPaths, type Category } from './posters/poster-glyphs.ts'

/** The glyph of a category, in the colour of the text around it. Decorative unless `label` names it. */
export function CategoryGlyph({
  category,
  label,
  className = 'size-6',
}: {
  category: Category
  label?: string
  className?: string
}) {
  return (
    <svg
      viewBox="0 0 24 24"
      fill="currentColor"
      fillRule="evenodd"
      className={`shrink-0 ${className}`}
      {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}
    >
      <path d={glyphPaths[category]} />
    </svg>
  )
}
