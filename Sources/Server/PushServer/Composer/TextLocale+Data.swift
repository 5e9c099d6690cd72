// Generated: scripts/cldr-tables
// swift-format-ignore-file

/// The parents and the usual scripts of locales.
///
/// Source: Unicode CLDR 49, supplemental/supplementalData.xml (parentLocales) and likelySubtags.xml.
/// Copyright 1991-2026 Unicode, Inc.; Unicode License v3 (unicode.org/license.txt).
extension TextLocale {
  /// A parent and the locales that have it, where it is not the locale without its last subtag.
  static let parentTable = """
    en-001: en-150 en-ag en-ai en-au en-bb en-bm en-bs en-bw en-bz en-cc en-ck en-cm en-cx en-cy en-dg en-dm en-er
    en-fj en-fk en-fm en-gb en-gd en-gg en-gh en-gi en-gm en-gs en-gy en-hk en-id en-ie en-il en-im en-in en-io
    en-je en-jm en-ke en-ki en-kn en-ky en-lc en-lr en-ls en-mg en-mo en-ms en-mt en-mu en-mv en-mw en-my en-na
    en-nf en-ng en-nr en-nu en-nz en-pg en-pk en-pn en-pw en-rw en-sb en-sc en-sd en-sg en-sh en-sl en-ss en-sx
    en-sz en-tc en-tk en-to en-tt en-tv en-tz en-ug en-vc en-vg en-vu en-ws en-za en-zm en-zw
    en-150: en-at en-be en-ch en-cz en-de en-dk en-ee en-es en-fi en-fr en-ge en-hu en-it en-lt en-lv en-nl en-no
    en-pl en-pt en-ro en-se en-si en-sk en-ua
    en-in: hi-latn
    es-419: es-ar es-bo es-br es-bz es-cl es-co es-cr es-cu es-do es-ec es-gt es-hn es-jp es-mx es-ni es-pa es-pe
    es-pr es-py es-sv es-us es-uy es-ve
    no: nb nn no-no
    pt-pt: pt-ao pt-ch pt-cv pt-fr pt-gq pt-gw pt-lu pt-mo pt-mz pt-st pt-tl
    zh-hant-hk: zh-hant-mo
    """

  /// A language, its usual script, and the regions that use another one.
  static let scriptTable = """
    az: latn arab=iq,ir cyrl=ru
    bs: latn
    ha: latn arab=cm,sd
    kk: cyrl arab=af,cn,ir,mn
    ku: latn arab=iq,ir,lb cyrl=am,az,ge,tm
    ky: cyrl arab=cn latn=tr
    mn: cyrl mong=cn
    ms: latn arab=cc
    pa: guru arab=pk
    sd: arab deva=in
    sr: cyrl latn=me,ro,tr
    tg: cyrl arab=pk
    ug: arab cyrl=kz,mn
    uz: latn arab=af cyrl=cn
    yue: hant hans=cn
    zh: hans hant=au,bn,gb,gf,hk,id,mo,pa,pf,ph,sr,th,tw,us,vn
    """
}
