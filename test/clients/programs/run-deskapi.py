"""Runs eventbrite/deskapi 0.1, as it is on PyPI, against a service: run-deskapi.py URL LOGIN PASSWORD.

The program makes its base URL from a site's name, so its session, which callers may pass, sends that URL's requests here.
"""

import sys

import requests
from requests.adapters import HTTPAdapter
from deskapi.models import DeskApi2

from expecting import expect

ORIGINAL = 'https://demo.desk.com'


class Here(HTTPAdapter):
    def __init__(self, url):
        super().__init__()
        self.url = url

    def send(self, request, **kwargs):
        request.url = request.url.replace(ORIGINAL, self.url, 1)
        return super().send(request, **kwargs)


def main(url, login, password):
    session = requests.Session()
    session.auth = (login, password)
    session.mount(ORIGINAL, Here(url))
    session.headers.update({'Accept': 'application/json', 'Content-Type': 'application/json'})
    api = DeskApi2(sitename='demo', session=session)

    topics = api.topics()
    expect('topics by page', len(topics) > 3 and all(topic.name for topic in topics.items()), True)
    topic = topics.create(name='Made by deskapi', in_support_center=True)
    expect('a topic is created', (topic.name, topic.allow_questions), ('Made by deskapi', False))

    articles = api.articles()
    before = len(articles)
    link = {'topic': {'href': topic.api_href, 'class': 'topic'}}
    article = articles.create(subject='An article', body='<p>Of <b>deskapi</b></p>', _links=link)
    expect('an article is created', (article.subject, article.body), ('An article', '<p>Of <b>deskapi</b></p>'))
    expect('it is in the list', len(api.articles()), before + 1)
    found = api.articles().by_id(article.api_href.rsplit('/', 1)[1])
    expect('it is found by its id', found.subject, 'An article')
    article.subject = 'A changed article'
    article = article.save()
    expect('it is saved', (article.subject, article.body), ('A changed article', '<p>Of <b>deskapi</b></p>'))

    article.translations.create(locale='de', subject='Ein Artikel', body='Von deskapi')
    translations = article.translations
    expect('translations are read by locale', sorted(translations.items()), ['de', 'en_us'])
    german = translations['de'].update(subject='Ein Beitrag')
    expect('one is updated', (german.locale, german.subject, german.outdated), ('de', 'Ein Beitrag', False))
    topic.translations.create(locale='de', name='Ein Thema')
    expect('a topic has translations, too', sorted(topic.translations.items()), ['de', 'en_us'])


if __name__ == '__main__':
    main(*sys.argv[1:])
