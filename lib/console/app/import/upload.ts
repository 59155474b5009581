import { ownJson } from '../../../own-json.ts';
import type { FileImport, UploadForm } from '../../model/file-import.ts';
import { type Api, ApiError, type ApiFault, authorizationOf, PREFIX } from '../api.ts';

/** An upload in progress. */
export interface Sending {
  readonly done: Promise<FileImport>; // rejects with an `ApiError`, with status 0 if the connection broke
  readonly cancel: () => void;
}

/** A file to upload; `onShare` is called with the share that was sent, 0 to 1. */
export interface ToSend {
  readonly file: File;
  readonly onShare: (share: number) => void;
}

const PATH = '/api/v2/imports';

/** Whether files are uploaded by a form to a store of their own, as in the cloud, and not in a request body. */
const BY_FORM = document.querySelector<HTMLMetaElement>('meta[name=uploads]')?.content === 'form';

/**
 * Uploads a file in the way of this service. `waiting` is called with an import that is made before the file is sent.
 */
export const sendFile = (api: Api, toSend: ToSend, waiting: (made: FileImport) => void): Sending =>
  BY_FORM ? sendNew(api, toSend, waiting) : sendBody(api, toSend);

/** Uploads the file of an import that waits for it. */
export function sendWaiting(api: Api, { id, upload }: FileImport, toSend: ToSend): Sending {
  if (upload === null) throw new Error('an import that waits for no file');
  const sending = sendForm(upload, toSend);
  const check = () => api.ask<FileImport>(`${PATH}/${id}/check`, { method: 'POST' });
  return { ...sending, done: sending.done.then(check).then(({ data }) => data) };
}

function sendNew(api: Api, toSend: ToSend, waiting: (made: FileImport) => void): Sending {
  let cancel = (): void => undefined;
  const make = async (): Promise<FileImport> => {
    const { data } = await api.ask<FileImport>(`${PATH}?name=${encodeURIComponent(toSend.file.name)}`, {
      method: 'POST',
    });
    waiting(data);
    const sending = sendWaiting(api, data, toSend);
    cancel = sending.cancel;
    return sending.done;
  };
  return { done: make(), cancel: () => cancel() };
}

/** Uses XMLHttpRequest, because `fetch` does not report the progress of an upload. */
function sendBody({ session }: Api, { file, onShare }: ToSend): Sending {
  const request = new XMLHttpRequest();
  const done = answerOf(request, onShare).then(() => {
    const text = request.responseText;
    const made = request.status === 201 ? parsed<FileImport>(text) : undefined;
    if (made !== undefined) return made;
    throw new ApiError(request.status, 'refused', parsed<{ readonly details?: readonly ApiFault[] }>(text)?.details);
  });
  request.open('POST', `${PREFIX}${PATH}?name=${encodeURIComponent(file.name)}`);
  request.setRequestHeader('Authorization', authorizationOf(session));
  request.setRequestHeader('X-Requested-With', 'support-console');
  request.setRequestHeader('Content-Type', 'application/octet-stream');
  request.send(file);
  return { done, cancel: () => request.abort() };
}

function sendForm(form: UploadForm, { file, onShare }: ToSend): { done: Promise<void>; cancel: () => void } {
  if (file.size > form.largest_size)
    return { done: Promise.reject(new ApiError(413, 'refused')), cancel: () => undefined };
  const request = new XMLHttpRequest();
  const done = answerOf(request, onShare).then(() => {
    if (request.status >= 300) throw new ApiError(request.status, 'refused');
  });
  const data = new FormData();
  for (const [name, value] of Object.entries(form.fields)) data.append(name, value);
  data.append('file', file);
  request.open('POST', form.url);
  request.send(data);
  return { done, cancel: () => request.abort() };
}

function answerOf(request: XMLHttpRequest, onShare: ToSend['onShare']): Promise<void> {
  return new Promise((resolve, reject) => {
    request.upload.onprogress = ({ loaded, total }) => onShare(total === 0 ? 0 : loaded / total);
    request.onerror = () => reject(new ApiError(0, 'network'));
    request.onabort = () => reject(new ApiError(0, 'cancelled'));
    request.onload = () => resolve();
  });
}

function parsed<T>(text: string): T | undefined {
  try {
    return ownJson(text);
  } catch {
    return undefined;
  }
}
