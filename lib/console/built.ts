/** A file that the console's pages load, with a name that changes with its content. */
export interface BuiltFile {
  readonly type: string; // its Content-Type
  readonly body: string;
}

/** The built console: its pages and the files that they load (infra/console/build.ts). */
export interface Built {
  readonly page: string; // HTML of every page under /console, with the two placeholders below
  readonly shared: string; // HTML of the page that a link to a board opens, with the same placeholders
  readonly docs: string; // HTML of /docs, with the same placeholders
  readonly files: Readonly<Record<string, BuiltFile>>; // by name under /console/files/
}

/** The placeholder for how files are uploaded: `form`, to a store of their own, or `body`, in a request to the API. */
export const UPLOADS = '{{uploads}}';

/** The placeholder for the stage of API Gateway, which is empty on a laptop. */
export const CONSOLE_PREFIX = '{{prefix}}';
