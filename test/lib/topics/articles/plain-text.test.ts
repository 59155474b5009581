import { plainText } from '../../../../lib/topics/articles/plain-text.ts';

it.each([
  ['<p>One</p><p>Two</p>', 'One\n\nTwo'],
  ['One<br>Two<br/>Three', 'One\nTwo\nThree'],
  ['  a \n\t b&nbsp;c  ', 'a b c'],
  ['<b>bo</b>ld <i>it</i>alic', 'bold italic'],
  ['caf&eacute; &amp; &#x41;&#66; &lt;tag&gt;', 'café & AB <tag>'],
  ['<ul><li>1</li><li>2</li></ul>', '1\n\n2'],
  ['<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>', 'a b\n\nc'],
  ['a<script>if (1 < 2) alert("x")</script><style>p { color: red }</style><!-- no -->b', 'ab'],
  ['<div><p>deep</p></div>\n\n<div>er</div>', 'deep\n\ner'],
  ['a < b and 3 > 2', 'a < b and 3 > 2'],
  ['', ''],
])('the text of %s is %j', (html, text) => {
  expect(plainText(html)).toBe(text);
});

it('shows the targets of links after their texts, if asked', () => {
  const html = 'See <a href="http://x.example/?a=1&amp;b=2">here</a>, <a name="top">up</a> or <a href="#">there</a>.';
  expect(plainText(html, { links: true })).toBe('See here (http://x.example/?a=1&b=2), up or there (#).');
  expect(plainText(html)).toBe('See here, up or there.');
});

it('takes whatever is sent, however it is broken', () => {
  for (const part of ['<div>', '<a href="', '&amp;', '<', '<!--', '</p>', '<script>'])
    expect(typeof plainText(part.repeat(262_144 / part.length))).toBe('string');
});

it('reads texts in up to a thousand elements, as each end of one is looked for among all that are open', () => {
  const within = (count: number): string => `first ${'<i>'.repeat(count)}deep${'</p>'.repeat(count)}`;
  expect([plainText(within(1_000)), plainText(within(1_001))]).toEqual(['first deep', 'first']);
  expect(plainText(`${'<div>one</div>'.repeat(2_000)}<p>last`)).toMatch(/last$/);
});
