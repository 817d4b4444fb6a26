import Markdown from 'react-markdown'

/** What a description may hold; everything else of Markdown, and all HTML, is left out and its text kept. */
const allowed = ['p', 'br', 'strong', 'em', 'del', 'ul', 'ol', 'li', 'a', 'blockquote', 'code', 'h1', 'h2', 'h3', 'hr']

/** Programmes of others come with indented paragraphs, which Markdown would show as code. */
function indentsAreSpaces(this: { data(): object }) {
  const data = this.data() as { micromarkExtensions?: object[] }
  ;(data.micromarkExtensions ??= []).push({ disable: { null: ['codeIndented'] } })
}

/** Markdown as elements, never as HTML text. Headings stand below those of the page; links lead out without our address. */
export function MarkdownText({ children }: { children: string }) {
  return (
    <div className="grid max-w-prose gap-3 text-lg [overflow-wrap:anywhere] [&_li]:ml-5 [&_ol]:list-decimal [&_ul]:list-disc">
      <Markdown
        remarkPlugins={[indentsAreSpaces]}
        skipHtml
        allowedElements={allowed}
        unwrapDisallowed
        components={{
          h1: ({ children: text }) => <h3 className="text-xl">{text}</h3>,
          h2: ({ children: text }) => <h3 className="text-xl">{text}</h3>,
          h3: ({ children: text }) => <h4 className="text-lg">{text}</h4>,
          a: ({ href, children: text }) =>
            href && /^https?:\/\//i.test(href) ? (
              <a href={href} rel="noreferrer nofollow ugc" className="link">
                {text}
              </a>
            ) : (
              <>{text}</>
            ),
        }}
      >
        {children}
      </Markdown>
    </div>
  )
}
