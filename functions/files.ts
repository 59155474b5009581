import { openObjects } from '../lib/store/objects.ts';
import { AWS_ENDPOINT_URL, FILE_BUCKET } from './wiring.ts';

/** The bucket of the files of imports. */
export const objects = openObjects({ bucket: FILE_BUCKET ?? '', isEmulated: AWS_ENDPOINT_URL !== undefined });
