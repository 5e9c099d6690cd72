# Writes Tests/Fixtures/liquid/dates.json: texts that Time.parse reads, and times in formats of strftime, as Shopify's filter
# `date` shows them. Run it from the repository's root:
#
#   ruby Tests/Scripts/liquid_dates.rb > Tests/Fixtures/liquid/dates.json

ENV["TZ"] = "UTC"
require "json"
require "time"

# Parts of a text that lack a year have that of the tests' clock.
NOW = Time.utc(2026, 11, 21, 9, 30)
READ = "%F %T.%N %z"

def parsed(text)
  Time.parse(text.downcase, NOW)
end

dates = ["2016-09-07", "2016/9/7", "2016.09.07", "Sep 7 2016", "Wed, 07 Sep 2016", "7-Sep-2016"]
times = ["08:43:50", "8:43", "8:43:50 pm", "12 am", "8:43 p.m.", "08:43:50.123456", "23:59:60"]
zones = ["", " UTC", " GMT", " UT", " Z", "Z", " EST", " EDT", " CST", " CDT", " MST", " MDT", " PST", " PDT", " A", " M",
         " N", " Y", " +02:00", "+0200", "-05:30", " +02", "-07"]
texts = dates.product(times).each_with_index.flat_map do |(date, time), index|
  # Each date and time has some of the zones, so that each pair of parts is there.
  zones.each_with_index.select { |_, place| (place + index) % 3 == 0 }.map { |zone, _| "#{date} #{time}#{zone}" }
end
texts.reject! { |text| text.end_with?("mZ") }
texts += dates
texts += [
  "2016-09-07T08:43:50 UTC", "2016-09-07t08:43:50.5+02:00", "2016-09-07T8:43Z", "2016-09-07 08:43:50,25 utc",
  "2016-09-07 UTC", "2016-09-07, 8 am", "08:43:50 2016-09-07", "08:43:50 UTC 2016-09-07", "2016-02-29", "2016-12-31 23:59:60 PST",
  "Wed Sep  7 08:43:50 UTC 2016", "Wed Sep 07 08:43:50 -0700 2016", "September 7th, 2016",
  "Sept 7 8am EST", "0001-01-01", "9999-12-31 23:59:59 UTC", "  2016-09-07   08:43:50\tGMT ",
]

moments = [
  "2016-09-07 08:03:05.123456789 UTC", "2016-09-07 20:43:50 -03:30", "2005-01-01 12:00:00 EST", "2005-01-02 00:00:00 +11:00",
  "2008-12-29 23:59:59.5 +0530", "2010-01-03 01:02:03 MDT", "0999-12-31 01:02:03 UTC", "2009-12-31 11:02:03 -0030",
]
letters = "aAbBcCdDeFgGhHIjklLmMnNpPrRsStTuUvVwWxXyYz%".chars
flags = ["", "-", "0", "_", "^", "#", "^#", "-_", "0-"]
widths = ["", "3", "05", "12"]
formats = letters.flat_map do |letter|
  flags.product(widths).each_with_index.select { |_, index| (index + letter.ord) % 3 == 0 }.map { |(flag, width), _| flag + width + letter }
end
formats += %w[:z ::z :::z _:z 10:z 010::z _:::z 8:::z 3N 6N 9N 12N 5L Ey EC Ez OH Oq E 5-d 5_d :d :10z Q -5Q f i 99999999999d]
# A minus sign in `%-z` says in Ruby that the offset of UTC itself is not known.
formats.reject! { |format| format.match?(/-.*z/) }

shown = formats.each_with_index.map do |format, index|
  moment = moments[index % moments.size]
  [moment, "<%#{format}>", parsed(moment).strftime("<%#{format}>")]
end
weeks = (1996..2030).flat_map do |year|
  ["#{year}-01-01", "#{year}-01-04", "#{year}-12-31"].map { |day| [day, "%G %g %V %U %W %u %w %j", parsed(day).strftime("%G %g %V %U %W %u %w %j")] }
end

puts "{"
puts "\"ruby\": #{JSON.generate(RUBY_VERSION)},"
puts "\"read\": ["
puts texts.uniq.map { |text| JSON.generate([text, parsed(text).strftime(READ)]) }.join(",\n")
puts "],"
puts "\"shown\": ["
puts (shown + weeks).map { |row| JSON.generate(row) }.join(",\n")
puts "]}"
