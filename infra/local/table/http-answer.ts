const STATUS = /^HTTP\/1\.[01] (\d{3})[ \r]/;
const END_OF_HEAD = '\r\n\r\n';
const LONGEST_HEAD = 2 ** 16; // characters

/** An HTTP/1.1 answer whose length its head says, as it comes piece by piece. */
export interface HttpAnswer {
  /** Takes a piece, and says whether it was the last; throws what is wrong with it. */
  take(piece: Buffer): boolean;
  status(): number;
  isLast(): boolean; // of its connection
}

/** An answer of which nothing is there yet; `takeBody` is given the pieces of its body. */
export function createHttpAnswer(takeBody: (piece: Buffer) => void): HttpAnswer {
  let head = '';
  let left: number | undefined; // bytes of the body, as soon as they are known

  /** Gives what of a piece is body. */
  function takeHead(piece: Buffer): Buffer | undefined {
    head += piece.toString('latin1');
    const end = head.indexOf(END_OF_HEAD);
    if (end < 0) {
      if (head.length > LONGEST_HEAD) throw broken('an answer without end of its head');
      return undefined;
    }
    const past = head.length - end - END_OF_HEAD.length;
    head = head.slice(0, end + END_OF_HEAD.length);
    const length = /\r\ncontent-length: *(\d+) *\r\n/i.exec(head)?.[1];
    if (!STATUS.test(head) || length === undefined) throw broken(`no answer of a known length: ${head.slice(0, 300)}`);
    left = Number(length);
    return piece.subarray(piece.length - past);
  }

  return {
    take: (piece) => {
      const body = left === undefined ? takeHead(piece) : piece;
      if (body === undefined || left === undefined) return false;
      if (body.length > left) throw broken('more than the length of the answer');
      if (body.length > 0) takeBody(body);
      left -= body.length;
      return left === 0;
    },
    status: () => Number(STATUS.exec(head)?.[1]),
    isLast: () => /\r\nconnection: *close *\r\n/i.test(head),
  };
}

/** Named as the SDK names what the network broke: it may pass. */
const broken = (message: string): Error => Object.assign(new Error(message), { name: 'NetworkingError' });
