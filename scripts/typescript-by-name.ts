import { registerHooks } from 'node:module'

/**
 * Makes the generator of database types find TypeScript, which it imports as "typescript". Here it is installed as
 * "typescript-compiler": under its own name npm would take it for an optional peer of production packages, and install it in
 * production too.
 */
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier === 'typescript' ? 'typescript-compiler' : specifier, {
      ...context,
      parentURL: specifier === 'typescript' ? import.meta.url : context.parentURL,
    }),
})
