import type { FileImport } from '../../model/file-import.ts';
import { ApiError, PREFIX } from '../api.ts';
import { authorizationOf, type Credentials } from '../session.ts';

/** A file on its way to the service. */
export interface Sending {
  readonly done: Promise<FileImport>; // rejects with an `ApiError`; its status is 0 where the connection broke
  readonly cancel: () => void;
}

/** Sends a file as it is. `onShare` hears how much of it has left, 0 to 1. By XMLHttpRequest: `fetch` tells nothing of that. */
export function sendFile(credentials: Credentials, file: File, onShare: (share: number) => void): Sending {
  const request = new XMLHttpRequest();
  const done = new Promise<FileImport>((resolve, reject) => {
    request.upload.onprogress = ({ loaded, total }) => onShare(total === 0 ? 0 : loaded / total);
    request.onerror = () => reject(new ApiError(0, 'network'));
    request.onabort = () => reject(new ApiError(0, 'cancelled'));
    request.onload = () => {
      const answer: unknown = parsed(request.responseText);
      if (request.status === 201) resolve(answer as FileImport);
      else reject(new ApiError(request.status, 'refused', (answer as { details?: [] } | undefined)?.details ?? []));
    };
    request.open('POST', `${PREFIX}/api/v2/imports?name=${encodeURIComponent(file.name)}`);
    request.setRequestHeader('Authorization', authorizationOf(credentials));
    request.setRequestHeader('X-Requested-With', 'support-console');
    request.setRequestHeader('Content-Type', 'application/octet-stream');
    request.send(file);
  });
  return { done, cancel: () => request.abort() };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
