"""Signs requests with oauthlib 4.0.1, as it is on PyPI, and sends them: run-oauthlib.py URL, then the four values."""

import json
import sys
import time

import requests
from oauthlib import oauth1

from expecting import expect

FORM = 'application/x-www-form-urlencoded'


def main(url, consumer_key, consumer_secret, token, token_secret):
    topics = f'{url}/api/v2/topics'

    def client(**more):
        return oauth1.Client(consumer_key, consumer_secret, token, token_secret, **more)

    def send(signer, target=topics, method='GET', body=None, headers=None, sent=None):
        uri, signed, content = signer.sign(target, method, body=body, headers=headers)
        return requests.request(method, uri, headers=signed, data=content if sent is None else sent, timeout=60)

    expect('signed in the header', send(client()).status_code, 200)
    expect('with a realm', send(client(realm='support & more')).status_code, 200)
    in_query = send(client(signature_type=oauth1.SIGNATURE_TYPE_QUERY), f'{topics}?per_page=2')
    expect('signed in the query', in_query.json()['_links']['self']['href'], '/api/v2/topics?page=1&per_page=2')
    expect('parameters repeated', send(client(), f'{topics}?a=2&a=1&a=10&b=').status_code, 200)
    expect('parameters encoded twice', send(client(), f'{topics}?a=%2520%252B&b=%C3%A9+%2B').status_code, 200)
    expect('in another order', send(client(), f'{topics}?page=1&per_page=3&embed=x').status_code, 200)
    expect('in plain text', send(client(signature_method=oauth1.SIGNATURE_PLAINTEXT)).status_code, 200)

    body = json.dumps({'name': 'Signed by oauthlib'})
    typed = {'Content-Type': 'application/json'}
    made = send(client(), method='POST', body=body, headers=typed)
    expect('JSON with its hash', (made.status_code, made.json()['name']), (201, 'Signed by oauthlib'))
    expect('another body than the hash names', send(client(), method='POST', body=body, headers=typed, sent=body + ' ').status_code, 401)
    changed = send(client(), f"{topics}/{made.json()['id']}", 'PATCH', json.dumps({'description': 'x'}), typed)
    expect('a change', changed.json()['description'], 'x')
    form = send(client(), method='POST', body='name=a+b', headers={'Content-Type': FORM})
    expect('a form, which is no JSON', form.status_code, 400)
    other = send(client(), method='POST', body='name=a+b', headers={'Content-Type': FORM}, sent='name=a+c')
    expect('another form than was signed', other.status_code, 401)

    now = int(time.time())
    for off, status in ((-290, 200), (290, 200), (-400, 401), (400, 401)):
        reply = send(client(timestamp=str(now + off)))
        expect(f'a clock off by {off} s', (reply.status_code, reply.headers.get('X-OAuth-Problem')),
               (status, None if status == 200 else 'timestamp_refused'))
    for count, status in ((255, 200), (256, 401)):
        expect(f'a nonce of {count} characters', send(client(nonce='n' * count)).status_code, status)
    sha256 = send(client(signature_method=oauth1.SIGNATURE_HMAC_SHA256))
    expect('another method', sha256.headers.get('X-OAuth-Problem'), 'signature_method_rejected')
    wrong = oauth1.Client(consumer_key, consumer_secret, token, token_secret + 'x')
    expect('another secret', send(wrong).headers.get('X-OAuth-Problem'), 'signature_invalid')


if __name__ == '__main__':
    main(*sys.argv[1:])
