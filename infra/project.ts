import { fileURLToPath } from 'node:url';

/**
 * The path of a file of the project. Other modules must not use their own location: the bundled command line is
 * elsewhere.
 */
export const projectPath = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url));
