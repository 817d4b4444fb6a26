import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Vitest takes projects by their names and large files first. Long files that are small would end a run alone, while the other core has nothing
 * to do: so `unit` goes first, and in each project the tests of the whole house, which start servers and wait for them.
 */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted(
      (a, b) =>
        Number(isUnit(b)) - Number(isUnit(a)) ||
        (a.project.name < b.project.name ? -1 : Number(a.project.name > b.project.name)) ||
        Number(isOfHouse(b)) - Number(isOfHouse(a)),
    )
  }
}

const isUnit = ({ project }: TestSpecification) => project.name === 'unit'
const isOfHouse = ({ project, moduleId }: TestSpecification) =>
  /^test\/[^/]+$/.test(relative(project.config.root, moduleId))
