import { registerHooks } from 'node:module'

/**
 * Lets the generator of the database types find the compiler. It asks for "typescript" without saying so in its
 * package.json, while here the compiler is installed as "typescript-compiler": under its own name npm would count it
 * as the optional peer of packages that run in production, and install it there too.
 */
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier === 'typescript' ? 'typescript-compiler' : specifier, {
      ...context,
      parentURL: specifier === 'typescript' ? import.meta.url : context.parentURL,
    }),
})
