import {
  baseString,
  fitsSignature,
  problemOf,
  readOAuth,
  type SignedRequest,
} from '../../../../lib/access/oauth/oauth.ts';
import {
  formatKeys,
  newOAuthKey,
  openSecrets,
  parseKeys,
  sealSecrets,
} from '../../../../lib/access/oauth/oauth-secrets.ts';

const read = (header: string) => {
  const sent = readOAuth(header, []);
  if (sent === undefined || typeof sent === 'string') throw new Error(String(sent));
  return sent;
};

describe('the examples of RFC 5849', () => {
  it('have its base string (3.4.1.1)', () => {
    const sent = read(
      'OAuth realm="Example", oauth_consumer_key="9djdj82h48djs9d2", oauth_token="kkk9d7dh3k39sjv7", ' +
        'oauth_signature_method="HMAC-SHA1", oauth_timestamp="137131201", oauth_nonce="7d8f3e4a", ' +
        'oauth_signature="bYT5CMsGcbgUdFHObYMEfcx6bsw%3D"',
    );
    const pairs = [...new URLSearchParams('b5=%3D%253D&a3=a&c%40=&a2=r%20b')];
    const form = [...new URLSearchParams('c2&a3=2+q')];
    expect(baseString(sent, { method: 'POST', url: 'http://example.com/request', pairs }, form)).toBe(
      'POST&http%3A%2F%2Fexample.com%2Frequest&a2%3Dr%2520b%26a3%3D2%2520q%26a3%3Da%26b5%3D%253D%25253D%26c%2540%3D%26c2%3D%26' +
        'oauth_consumer_key%3D9djdj82h48djs9d2%26oauth_nonce%3D7d8f3e4a%26oauth_signature_method%3DHMAC-SHA1%26' +
        'oauth_timestamp%3D137131201%26oauth_token%3Dkkk9d7dh3k39sjv7',
    );
  });

  it('have its signature (1.2)', () => {
    const sent = read(
      'OAuth realm="Photos", oauth_consumer_key="dpf43f3p2l4k3l03", oauth_token="nnch734d00sl2jdk", ' +
        'oauth_signature_method="HMAC-SHA1", oauth_timestamp="137131202", oauth_nonce="chapoH", ' +
        'oauth_signature="MdpQcU8iPSUjWoN%2FUDMsK2sui9I%3D"',
    );
    const pairs = [...new URLSearchParams('file=vacation.jpg&size=original')];
    const request = { method: 'GET', urls: ['http://photos.example.net/photos'], pairs, isPrivate: false };
    const secrets = { consumer: 'kd94hf93k423kf44', token: 'pfkkdhi9sl3r4s00' };
    expect(fitsSignature(sent, request, secrets)).toBe(true);
    expect(fitsSignature(sent, { ...request, method: 'HEAD' }, secrets)).toBe(false);
    expect(problemOf(sent, request, 137_131_202_000)).toBeUndefined();
  });
});

describe('what is sent', () => {
  it.each([
    [
      'oauth oauth_token=a , oauth_nonce = "b%20c"',
      [
        ['oauth_token', 'a'],
        ['oauth_nonce', 'b c'],
      ],
    ],
    [
      'OAuth realm="",oauth_token="a",oauth_nonce="b"', // Zend's, of PHP
      [
        ['oauth_token', 'a'],
        ['oauth_nonce', 'b'],
      ],
    ],
    ['OAuth oauth_token="a",oauth_token="a"', 'signature_invalid'],
    ['OAuth oauth_token="%zz"', 'signature_invalid'],
    ['OAuth what is this', 'signature_invalid'],
    ['Basic abc', undefined],
  ])('%s', (header, expected) => {
    const sent = readOAuth(header, []);
    expect(sent instanceof Map ? [...sent] : sent).toEqual(expected);
  });

  it('is refused in header and query at once, and is a query’s where it has a signature', () => {
    const query = [
      ['oauth_token', 'a'],
      ['oauth_signature', 'b'],
      ['page', '1'],
    ] as const;
    expect(readOAuth('OAuth oauth_token="a"', query)).toBe('signature_invalid');
    expect(readOAuth(undefined, query)).toEqual(
      new Map([
        ['oauth_token', 'a'],
        ['oauth_signature', 'b'],
      ]),
    );
    expect(readOAuth(undefined, [['oauth_token', 'a']])).toBeUndefined();
  });

  const request: SignedRequest = { method: 'GET', urls: [], pairs: [], isPrivate: true };
  const whole = {
    oauth_consumer_key: 'c',
    oauth_token: 't',
    oauth_signature_method: 'HMAC-SHA1',
    oauth_signature: 's',
    oauth_timestamp: '1000',
    oauth_nonce: 'n',
  };
  it.each<[Record<string, string>, boolean, string | undefined]>([
    [{}, true, undefined],
    [{ oauth_timestamp: '1300' }, true, undefined],
    [{ oauth_timestamp: '1301' }, true, 'timestamp_refused'],
    [{ oauth_timestamp: '699' }, true, 'timestamp_refused'],
    [{ oauth_timestamp: '1000.5' }, true, 'timestamp_refused'],
    [{ oauth_timestamp: '' }, true, 'parameter_absent'],
    [{ oauth_nonce: '' }, true, 'parameter_absent'],
    [{ oauth_nonce: 'n'.repeat(256) }, true, 'signature_invalid'],
    [{ oauth_token: '' }, true, 'parameter_absent'],
    [{ oauth_version: '2.0' }, true, 'version_rejected'],
    [{ oauth_version: '1.0' }, true, undefined],
    [{ oauth_signature_method: 'HMAC-SHA256' }, true, 'signature_method_rejected'],
    [{ oauth_signature_method: 'PLAINTEXT', oauth_timestamp: '9999999999999' }, true, undefined],
    [{ oauth_signature_method: 'PLAINTEXT' }, false, 'signature_method_rejected'],
  ])('has its problem told without a secret: %#', (changed, isPrivate, problem) => {
    const sent = new Map(Object.entries({ ...whole, ...changed }));
    expect(problemOf(sent, { ...request, isPrivate }, 1_000_000)).toBe(problem);
  });
});

it('secrets are read only by their key, at their place, and unchanged', () => {
  const [key, other] = [newOAuthKey(), newOAuthKey()];
  const secrets = { consumer: 'one', token: 'two' };
  const sealed = sealSecrets(key, secrets, 'acme\nhash');
  expect(openSecrets([other, key], sealed, 'acme\nhash')).toEqual(secrets);
  expect(openSecrets(parseKeys(formatKeys([key])), sealed, 'acme\nhash')).toEqual(secrets);
  expect(openSecrets([other], sealed, 'acme\nhash')).toBeUndefined();
  expect(openSecrets([{ ...other, id: key.id }], sealed, 'acme\nhash')).toBeUndefined();
  expect(openSecrets([key], sealed, 'other\nhash')).toBeUndefined();
  const changed = Buffer.from(sealed.text, 'base64');
  changed[20] = (changed[20] ?? 0) ^ 1;
  expect(openSecrets([key], { ...sealed, text: changed.toString('base64') }, 'acme\nhash')).toBeUndefined();
  expect(sealed.text).not.toContain('one');
});
