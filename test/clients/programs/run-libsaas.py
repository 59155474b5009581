"""Runs ducksboard/libsaas 0.4, as it is on PyPI, against a service by OAuth 1.0a: run-libsaas.py URL, then the four values.

Its service takes a host and speaks https; the base URL is changed after it is made.
"""

import sys

from libsaas import http
from libsaas.executors import requests_executor, urllib2_executor
from libsaas.services import desk
from libsaas.services.desk import contents

from expecting import expect


def tour(service, name):
    expect(f'{name}: users by page', len(service.users().get(page=1, per_page=5)['_embedded']['entries']), 5)
    expect(f'{name}: a user', service.user(1).get()['id'], 1)
    group = service.groups().get()['_embedded']['entries'][0]
    expect(f'{name}: users of a group', service.group(group['id']).users(per_page=2)['total_entries'] > 0, True)

    topic = service.topics().create({'name': f'Made by {name}'})
    expect(f'{name}: a topic is changed', service.topic(topic['id']).update({'description': 'é'})['description'], 'é')
    article = service.topic(topic['id']).articles().create({'subject': 'Café & co', 'body': '<p>By libsaas</p>'})
    expect(f'{name}: an article is made in its topic', article['_links']['topic']['href'], topic['_links']['self']['href'])
    changed = service.article(article['id']).update({'subject': 'Café ~ co'})
    expect(f'{name}: an article is changed', service.article(article['id']).get(), changed)
    page = service.topic(topic['id']).articles().get(per_page=5, page=1)
    expect(f'{name}: articles of a topic', [entry['id'] for entry in page['_embedded']['entries']], [article['id']])
    # 0.4 reaches its search and its translations by a topic alone, where the original had none.
    found = contents.Articles(service).search(text='café co', topic_ids=str(topic['id']), per_page=5)
    expect(f'{name}: a search', [entry['subject'] for entry in found['_embedded']['entries']], ['Café ~ co'])
    translations = contents.Translations(contents.Article(service, article['id']))
    translations.create({'locale': 'de', 'subject': 'Kaffeehaus'})
    expect(f'{name}: translations', [one['locale'] for one in translations.get()['_embedded']['entries']], ['de', 'en_us'])

    macro = service.macros().create({'name': f'Made by {name}'})
    expect(f'{name}: a macro', service.macro(macro['id']).update({'enabled': False})['enabled'], False)
    expect(f'{name}: its actions', service.macro(macro['id']).actions().get()['total_entries'], 0)
    for made in (service.macro(macro['id']), service.article(article['id']), service.topic(topic['id'])):
        made.delete()
    for gone in (service.article(article['id']).get, service.cases().get, service.customers().get):
        try:
            gone()
        except http.HTTPError as error:
            expect(f'{name}: what is not there', error.code, 404)
        else:
            sys.exit('found what is not there')


def main(url, consumer_key, consumer_secret, token, token_secret):
    service = desk.Desk('demo', consumer_key, consumer_secret, token, token_secret)
    service.apiroot = f'{url}/api/v2'
    urllib2_executor.use()
    tour(service, 'urllib')
    requests_executor.use()
    tour(service, 'requests')


if __name__ == '__main__':
    main(*sys.argv[1:])
