import { counted, filled, MiB } from './row.ts';

/** Pages that ordinary parsers pay for out of all proportion. */
export const hostilePages: Record<string, () => string> = {
  'formatting elements that are never closed, before paragraphs': () =>
    counted((index) => `<b id=${index}>`, 16 * 1024) + filled('<p>x', MiB - 16 * 1024),
  'formatting elements closed in the wrong order': () =>
    filled('<b><i><div><s><p>'.repeat(40) + '</b></i></s>'.repeat(40), MiB),
  'elements that are never closed': () => filled('<div>', MiB),
  'small elements': () => filled('<i>x</i>', MiB),
  'cells of tables': () => `<table>${filled('<tr><td>1<td>2', MiB)}`,
  'content in front of a table': () => `<table>${filled('<br>x', MiB)}`,
  'tables in tables': () => filled('<table><tr><td>', MiB),
  templates: () => filled('<template><p></template>', MiB),
  'templates in templates': () => filled('<template>', MiB),
  'options in a select': () => `<select>${filled('<option>1', MiB)}`,
  'selects in selects': () => filled('<select><option><select>', MiB),
  'a tag with very many attributes': () => `<a ${counted((index) => `a${index.toString(36)} `, MiB)}>`,
  'tags with many attributes': () => filled('<br a b c d e f g h i j k l m n o p>', MiB),
  'attributes of the body, again and again': () => counted((index) => `<body a${index}=1>`, MiB),
  entities: () => filled('&NotEqualTilde;&', MiB),
  'entities that are none': () => filled('&ampx&#xfffffff', MiB),
  comments: () => filled('<!--x-->', MiB),
  'a comment without an end': () => `<!--${filled('--!-', MiB)}`,
  'scripts without an end': () => filled('<script><!--<script>', MiB),
  'foreign elements': () => filled('<svg><desc><math><mi>', MiB),
  'forms with fields': () => filled('<form><input name=a><input type=password></form>', MiB),
  'fields that name their form': () =>
    filled('<form id=f></form>', MiB / 2) + counted((index) => `<input form=f name=a${index} type=password>`, MiB / 2),
  'forms with a password each, and fields without a form': () =>
    filled('<form action=/x><input type=password name=p></form><input name=q form=g>', MiB),
  'labels in labels': () => filled('<label for=a>x', 256 * 5) + filled('<b>x</b>', MiB),
  'rows of addresses': () => `<table>${filled('<tr><td>a@b.example<td><a href=/delete>delete</a>', MiB)}`,
  'lists in lists': () => filled('<ul><li>a@b.example <a>delete</a>', MiB),
  'a very long base address': () =>
    `<base href="http://shop.example/${'a'.repeat(MiB / 2)}">${filled('<a href=x><script src=y></script>', MiB / 2)}`,
  'links with a very long address': () => filled(`<a href="/x?${'a&'.repeat(50_000)}">x</a>`, MiB),
  'links with very many parameters': () =>
    counted((index) => `<a href="/x?${counted((at) => `p${index}_${at}=1&`, 1_900)}">x</a>`, MiB),
  'links to other hosts': () => counted((index) => `<a href=//h${index}.example>x</a>`, MiB),
  'scripts with an address': () => counted((index) => `<script src=/${index}></script>`, MiB),
  'inline scripts': () => filled('<script>x</script>', MiB),
  'classes of all kinds': () => counted((index) => `<i class="c${index.toString(36).replace(/\d/g, 'x')} d e f">`, MiB),
  'very many quotes': () => filled('"\'', MiB),
  'null characters': () => filled('\0<', MiB),
};
