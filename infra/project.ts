import { fileURLToPath } from 'node:url';

/** The path of a file of the project. The bundled command line lies elsewhere, so other modules never ask where they lie. */
export const projectPath = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url));
