import iconv from 'iconv-lite';
import { encodingCandidates } from '../../../../lib/import/formats/encodings.ts';
import { sniffCsv } from '../../../../lib/import/sniff.ts';

const TEXTS: Readonly<Record<string, readonly string[]>> = {
  'utf-8': ['Müller', 'Größe', 'Решен', '解決済み'],
  'utf-16le': ['Müller', 'Решен', '解決済み'],
  'utf-16be': ['Müller', 'Решен'],
  'windows-1252': ['Gelöst', 'Müller', 'résolu', 'Créé le', 'Não resolvido', 'Solución', 'Größe', 'Löst'],
  'windows-1250': ['Rozwiązane', 'Zgłoszenie', 'Vyřešeno', 'Otevřeno', 'Utworzono', 'Zamknięte'],
  'windows-1251': ['Решена', 'Открыта', 'Закрыта', 'Создано'],
  'windows-1254': ['Çözüldü', 'Açık', 'Oluşturulma', 'Kapalı'],
  shift_jis: ['解決済み', '作成日時', 'オープン', 'ステータス'],
  gb18030: ['已解决', '创建时间', '打开', '状态'],
  'euc-kr': ['해결됨', '생성일', '열림', '상태'],
  cp850: ['Gelöst', 'Müller', 'résolu', 'Solución', 'Größe'],
  ibm866: ['Решена', 'Открыта', 'Закрыта'],
};

describe('the encoding of a file', () => {
  it.each(Object.entries(TEXTS))('%s is known by its text', async (label, words) => {
    const csv = `Id,Status,Name\n${words.map((word, at) => `${at},${word},x`).join('\n')}\n`;
    const bytes = iconv.encode(csv, label === 'ibm866' ? 'cp866' : label);
    const sample = await sniffCsv(bytes);
    expect([encodingCandidates(bytes)[0], sample?.rows.map(([, word]) => word)]).toEqual([label, words]);
  });

  it('is to be chosen where two fit', () => {
    const found = encodingCandidates(Buffer.from('Id,Name\n1,\xe8\xe8ra\n', 'latin1'));
    expect(found.slice(0, 2)).toEqual(['windows-1252', 'windows-1250']);
  });
});
