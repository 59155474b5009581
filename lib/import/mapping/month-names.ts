/** The names of the months in the languages of `help-desk-words.json`, long and short, in lower case, without a point. */
export const MONTH_NAMES: readonly (readonly string[])[] = [
  'january jan januar janvier janv enero ene janeiro gennaio gen januari stycznia styczeń sty ledna leden led ocak oca января январь янв 一月',
  'february feb februar février févr febrero fevereiro fev febbraio februari lutego luty lut února únor úno şubat şub февраля февраль фев 二月',
  'march mar märz mär mrz mars marzo março maart mrt marca marzec března březen bře mart марта март мар 三月',
  'april apr avril avr abril abr aprile kwietnia kwiecień kwi dubna duben dub nisan nis апреля апрель апр 四月',
  'may mai mayo maio maggio mag mei maja maj května květen kvě mayıs мая май 五月',
  'june jun juni juin junio junho giugno giu czerwca czerwiec cze června červen čvn haziran haz июня июнь июн 六月',
  'july jul juli juillet juil julio julho luglio lug lipca lipiec lip července červenec čvc temmuz tem июля июль июл 七月',
  'august aug août agosto ago augustus sierpnia sierpień sie augusti srpna srpen srp ağustos ağu августа август авг 八月',
  'september sep sept septembre septiembre setembro set settembre września wrzesień wrz září zář eylül eyl сентября сентябрь сен 九月',
  'october oct oktober okt octobre octubre outubro out ottobre ott października październik paź října říjen říj ekim eki октября октябрь окт 十月',
  'november nov novembre noviembre novembro listopada listopad lis listopadu kasım kas ноября ноябрь ноя 十一月',
  'december dec dezember dez décembre déc diciembre dic dezembro dicembre grudnia grudzień gru prosince prosinec pro aralık ara декабря декабрь дек 十二月',
].map((names) => names.split(' '));

const NUMBERS = new Map(MONTH_NAMES.flatMap((names, index) => names.map((name) => [name, index + 1] as const)));

/** The number 1…12 of a month's name, in capitals or not, with or without a point; undefined for other words. */
export const monthNamed = (name: string): number | undefined =>
  NUMBERS.get(name.normalize('NFC').toLowerCase().replace(/\.$/, ''));
